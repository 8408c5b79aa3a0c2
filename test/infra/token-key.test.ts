import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';

import { compiledModules } from '../support/native-modules.ts';
import { resourcesOf, smallTemplateOf, type Statement, templateOf } from './template.ts';

const template = templateOf();
const secret = { Ref: Match.stringLikeRegexp('^TokenKey') };
const rotation = { 'Fn::GetAtt': [Match.stringLikeRegexp('^TokenKeyRotationFunction'), 'Arn'] };

/** The permissions of a function, except for logs and traces. */
const statementsFor = (id: RegExp) =>
  resourcesOf<{ PolicyDocument: { Statement: Statement[] } }>(template, 'AWS::IAM::Policy')
    .filter(([name]) => id.test(name))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => !/"(logs|xray):/.test(JSON.stringify(Action)));

interface FunctionProperties {
  readonly Description: string;
  readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
}

/** Their routes need no token, nor do they issue one. */
const open = new Set(['/ping /health', '/openapi.json /docs', '/ /ui']);

describe('the key of tokens', () => {
  it('is known to the functions that check or issue tokens, and to no others', () => {
    const served = resourcesOf<FunctionProperties>(template, 'AWS::Lambda::Function').flatMap(
      ([id, { Properties }]) => {
        const prefixes = /^Dapple, endpoints (.*)/.exec(Properties.Description)?.[1];
        return prefixes === undefined ? [] : [{ prefixes, id, variables: Properties.Environment?.Variables }];
      },
    );
    for (const { prefixes, id, variables } of served) {
      const isOpen = open.has(prefixes);
      expect(variables?.['TOKEN_KEY_SECRET_ID'] === undefined, prefixes).toBe(isOpen);
      const allowed = JSON.stringify(statementsFor(new RegExp(`^${id.replace(/Function\w*$/, '')}`)));
      expect(/"Ref":"TokenKey/.test(allowed), prefixes).toBe(!isOpen);
    }
    expect(served.length).toBeGreaterThan(20);
  });

  it('is not needed by the function of paths that no group has', () => {
    const event = {
      httpMethod: 'GET',
      headers: {},
      multiValueHeaders: {},
      requestContext: { path: '/ping', identity: { sourceIp: '127.0.0.1' } },
    };
    const program = `
      const { handler } = await import('./functions/ping.ts');
      const headers = { 'X-Rucio-Auth-Token': 'x', 'Idempotency-Key': 'y' };
      const lists = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value]]));
      for (const path of ['/ping', '/nothing']) {
        const event = { ...${JSON.stringify(event)}, path, resource: path, headers, multiValueHeaders: lists };
        const context = { awsRequestId: 'r', getRemainingTimeInMillis: () => 9_000 };
        console.log('answer', (await handler(event, context)).statusCode);
      }`;
    const environment = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compiledModules,
      TABLE_NAME: 'none',
      AWS_REGION: 'eu-central-1',
    };
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: join(import.meta.dirname, '../..'),
      env: environment,
      encoding: 'utf8',
    });
    expect(run.stdout.match(/answer \w+/g), run.stderr).toEqual(['answer 200', 'answer 404']);
  });

  it('is generated: 64 letters and digits', () => {
    template.hasResourceProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
  });

  it('is rotated every 90 days, by a function that only Secrets Manager of this account can call', () => {
    template.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      SecretId: secret,
      RotationLambdaARN: rotation,
      RotationRules: { AutomaticallyAfterDays: 90 },
      RotateImmediatelyOnUpdate: false,
    });
    template.hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'secretsmanager.amazonaws.com',
      FunctionName: rotation,
      SourceAccount: { Ref: 'AWS::AccountId' },
    });
  });

  it('is rotated as often as the context says; 0 disables rotation and its function', () => {
    smallTemplateOf({ tokenKeyDays: '30' }).hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
    const never = smallTemplateOf({ tokenKeyDays: '0' });
    never.resourceCountIs('AWS::SecretsManager::RotationSchedule', 0);
    never.resourcePropertiesCountIs('AWS::Lambda::Function', { Description: Match.stringLikeRegexp('replaces') }, 0);
  });

  it('can be rotated by that function, which may do nothing else, and read by those that serve requests', () => {
    expect(statementsFor(/^TokenKeyRotation/)).toEqual([
      {
        Effect: 'Allow',
        Action: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
          (name) => `secretsmanager:${name}`,
        ),
        Resource: { Ref: expect.stringMatching(/^TokenKey/) },
      },
    ]);
    expect(
      statementsFor(/^groupdids/).filter(({ Action }) => JSON.stringify(Action).includes('secretsmanager')),
    ).toEqual([
      {
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: { Ref: expect.stringMatching(/^TokenKey/) },
      },
    ]);
  });
});

describe('the first account', () => {
  it('gets a password of 40 letters and digits that appears in no template', () => {
    template.hasResourceProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: {
        SecretStringTemplate: '{"username":"root"}',
        GenerateStringKey: 'password',
        PasswordLength: 40,
        ExcludePunctuation: true,
      },
    });
    template.hasOutput('RootSecretArn', { Value: { Ref: Match.stringLikeRegexp('^RootPassword') } });
  });

  it("is created by a function that knows the secret's id, and fails the deployment after five minutes", () => {
    template.hasResourceProperties('Custom::RootAccount', {
      ServiceToken: { 'Fn::GetAtt': [Match.stringLikeRegexp('^RootAccountFunction'), 'Arn'] },
      ServiceTimeout: '300',
      SecretId: { Ref: Match.stringLikeRegexp('^RootPassword') },
      TableName: { Ref: Match.stringLikeRegexp('^Table') },
    });
  });
});
