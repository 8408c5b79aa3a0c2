import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import { hasLongAnswers } from '../../lib/contract/route.ts';
import { resourcesOf, templateOf } from './template.ts';

interface FunctionProperties {
  readonly Architectures: string[];
  readonly Runtime: string;
  readonly Handler: string;
  readonly Description: string;
  readonly MemorySize: number;
  readonly Timeout: number;
  readonly TracingConfig?: { Mode: string };
  readonly LoggingConfig: { LogFormat: string; LogGroup: { Ref: string } };
  readonly Environment?: { Variables: Record<string, unknown> };
}

const template = templateOf();
const functions = resourcesOf<FunctionProperties>(template, 'AWS::Lambda::Function');
const apiFunctions = functions.filter(([, { Properties }]) => Properties.Description.includes('endpoints'));

/** It waits most of its time. */
const isEvents = ({ Description }: FunctionProperties) => Description === 'Dapple, endpoints /events';

/** It rotates the token key and has no access to the table. */
const isRotation = ({ Description }: FunctionProperties) => Description.includes('replaces the key');

describe('the functions', () => {
  it('are one per group of the contract', () => {
    expect(apiFunctions.map(([, { Properties }]) => Properties.Description)).toEqual(
      groups.map((group) => `Dapple, endpoints ${group.prefixes.join(' ')}`),
    );
  });

  it.each(functions)('%s runs on arm64 and Node 24, is not traced, and logs JSON', (_id, { Properties }) => {
    expect(Properties).toMatchObject({
      Architectures: ['arm64'],
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO', SystemLogLevel: 'WARN' },
      ...(isRotation(Properties)
        ? {}
        : { Environment: { Variables: { TABLE_NAME: { Ref: expect.stringMatching(/^Table/) } } } }),
    });
    expect(Properties.TracingConfig).toBeUndefined();
    expect(Properties.MemorySize).toBeGreaterThanOrEqual(isEvents(Properties) ? 256 : 512);
  });

  it('log from the level on that the context says', () => {
    const levels = resourcesOf<FunctionProperties>(templateOf({ logLevel: 'warn' }), 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.LoggingConfig,
    );
    expect(levels.length).toBe(functions.length);
    for (const level of levels) expect(level).toMatchObject({ ApplicationLogLevel: 'WARN', SystemLogLevel: 'WARN' });
  });

  it.each(functions)('%s hashes passwords with the default cost', (_id, { Properties }) => {
    expect(Properties.Environment?.Variables ?? {}).not.toHaveProperty('PASSWORD_ROUNDS');
  });

  it('have a log group each', () => {
    const logGroups = functions.map(([, { Properties }]) => Properties.LoggingConfig.LogGroup.Ref);
    expect(new Set(logGroups).size).toBe(functions.length);
  });

  it.each(functions.filter(([, { Properties }]) => !apiFunctions.some(([, api]) => api.Properties === Properties)))(
    '%s serves no requests, and does not know the key that signs tokens',
    (_id, { Properties }) => {
      expect(Properties.Environment?.Variables ?? {}).not.toHaveProperty('TOKEN_KEY_SECRET_ID');
    },
  );

  it.each(apiFunctions)(
    '%s streams if its group has lists, and is buffered for half a minute otherwise',
    (_id, one) => {
      const { Description, Environment, Timeout } = one.Properties;
      const group = groups.find(({ prefixes }) => Description === `Dapple, endpoints ${prefixes.join(' ')}`);
      const streams = group !== undefined && hasLongAnswers(group);
      expect(Environment?.Variables).toMatchObject(
        streams
          ? { RESPONSE_MODE: 'stream', EMPTY_STREAMS: 'fill', COMPRESSION: 'on', STREAM_MARK: 'off' }
          : { RESPONSE_MODE: 'buffer' },
      );
      expect(Timeout).toBe(isEvents(one.Properties) ? 65 : streams ? 300 : 29);
    },
  );

  it('of event streams is small, and runs for at most about a minute per client', () => {
    expect(apiFunctions.find(([, { Properties }]) => isEvents(Properties))?.[1].Properties).toMatchObject({
      MemorySize: 256,
      Timeout: 65,
    });
  });

  it('that create the first account and rotate the token key have time limits of a minute and half a minute', () => {
    const timeouts = functions.map(
      ([
        ,
        {
          Properties: { Description, Timeout },
        },
      ]) => [Description, Timeout],
    );
    expect(timeouts).toContainEqual(['Dapple, creates the account root when the stack is created', 60]);
    expect(timeouts).toContainEqual(['Dapple, replaces the key that signs tokens', 30]);
  });
});

describe('concurrent executions', () => {
  const sharesOf = (context: Record<string, string>) =>
    resourcesOf<FunctionProperties & { readonly ReservedConcurrentExecutions?: number }>(
      templateOf(context),
      'AWS::Lambda::Function',
    ).flatMap(
      ([
        id,
        {
          Properties: { ReservedConcurrentExecutions: share },
        },
      ]) => (share === undefined ? [] : [[id.replace(/Function.*/, ''), share]]),
    );

  it('are not reserved by default, since a new account could not deploy the stack', () => {
    expect(sharesOf({})).toEqual([]);
    expect(sharesOf({ stage: 'prod' })).toEqual([]);
  });

  it('are reserved for stream consumers and schedules, and limited for event readers, if the context says so', () => {
    expect(Object.fromEntries(sharesOf({ reservedConcurrency: 'on', eventReaders: '40' }))).toEqual({
      groupevents: 80,
      StreamConsumer: 30,
      StreamFollowUp: 30,
      BatchRecovery: 2,
      Expiry: 2,
      Work: 2,
      FollowOwed: 2,
      MetadataIndex: 2,
      FreeSpace: 2,
    });
  });
});

describe('log groups', () => {
  it.each([
    ['dev', 7, 'Delete'],
    ['prod', 90, 'RetainExceptOnCreate'],
  ])('of %s keep %d days', (stage, days, policy) => {
    const logGroups = resourcesOf<{ RetentionInDays?: number }>(templateOf({ stage }), 'AWS::Logs::LogGroup');
    expect(logGroups).toHaveLength(functions.length + 1);
    for (const [id, logGroup] of logGroups) {
      expect(logGroup, id).toMatchObject({ Properties: { RetentionInDays: days }, DeletionPolicy: policy });
    }
  });
});
