import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import { resourcesOf, templateOf } from './template.ts';

interface FunctionProperties {
  readonly Architectures: string[];
  readonly Runtime: string;
  readonly Handler: string;
  readonly Description: string;
  readonly MemorySize: number;
  readonly Timeout: number;
  readonly TracingConfig: { Mode: string };
  readonly LoggingConfig: { LogFormat: string; LogGroup: { Ref: string } };
  readonly Environment: { Variables: Record<string, unknown> };
}

const template = templateOf();
const functions = resourcesOf<FunctionProperties>(template, 'AWS::Lambda::Function');
const apiFunctions = functions.filter(([, { Properties }]) => Properties.Description.includes('endpoints'));

describe('the functions', () => {
  it('are one per group of the contract', () => {
    expect(apiFunctions.map(([, { Properties }]) => Properties.Description)).toEqual(
      groups.map((group) => `Dapple, endpoints ${group.prefixes.join(' ')}`),
    );
  });

  it.each(functions)('%s runs on arm64 and Node 24, is traced and logs JSON', (_id, { Properties }) => {
    expect(Properties).toMatchObject({
      Architectures: ['arm64'],
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
      Environment: {
        Variables: { NODE_OPTIONS: '--enable-source-maps', TABLE_NAME: { Ref: expect.stringMatching(/^Table/) } },
      },
    });
    expect(Properties.MemorySize).toBeGreaterThanOrEqual(512);
  });

  it('have a log group each', () => {
    const logGroups = functions.map(([, { Properties }]) => Properties.LoggingConfig.LogGroup.Ref);
    expect(new Set(logGroups).size).toBe(functions.length);
  });

  it.each(apiFunctions)('%s streams and knows the key that signs tokens', (_id, { Properties }) => {
    expect(Properties.Environment.Variables).toMatchObject({
      RESPONSE_MODE: 'stream',
      TOKEN_KEY_SECRET_ID: { Ref: expect.stringMatching(/^TokenKey/) },
    });
    expect(Properties.Timeout).toBe(300);
  });
});

describe('log groups', () => {
  it.each([
    ['dev', 7, 'Delete'],
    ['prod', 90, 'Retain'],
  ])('of %s keep %d days', (stage, days, policy) => {
    const logGroups = resourcesOf<{ RetentionInDays?: number }>(templateOf({ stage }), 'AWS::Logs::LogGroup');
    expect(logGroups).toHaveLength(functions.length + 1);
    for (const [id, logGroup] of logGroups) {
      expect(logGroup, id).toMatchObject({ Properties: { RetentionInDays: days }, DeletionPolicy: policy });
    }
  });
});

describe('the token key', () => {
  it('is generated: 64 letters and digits', () => {
    template.hasResourceProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
  });
});
