import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { functionRun } from '../../lib/domain/requests/open-movers.ts';
import { resourcesOf, templateOf } from './template.ts';

const template = templateOf({ movers: 'on', streams: 'on', monitoring: 'all' });
const withoutStreams = templateOf({ movers: 'on' });

interface FunctionProperties {
  readonly Timeout: number;
  readonly MemorySize: number;
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

describe.each([
  { id: 'MoveData', entry: 'move-data', absent: templateOf(), megabytes: 512 },
  { id: 'StreamData', entry: 'stream-data', absent: withoutStreams, megabytes: 1_769 },
])('the function $entry', ({ id, absent, megabytes }) => {
  const ofFunction = <T>(type: string, from = template) =>
    resourcesOf<T>(from, type).filter(([one]) => one.startsWith(id));
  const properties = ofFunction<FunctionProperties>('AWS::Lambda::Function').map(([, one]) => one.Properties);

  it('exists with its option alone', () => {
    expect(ofFunction('AWS::Lambda::Function', absent)).toEqual([]);
    expect(properties).toHaveLength(1);
  });

  it('starts every minute, also while copies of an earlier run are under way, and outlives them', () => {
    expect(ofFunction('AWS::Events::Rule').map(([, { Properties }]) => Properties)).toMatchObject([
      { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' },
    ]);
    expect(properties).toMatchObject([{ Timeout: 900, MemorySize: megabytes }]);
    // With a minute for the last reports.
    expect(functionRun.beginMs + functionRun.copyMs + 60_000).toBeLessThanOrEqual(900_000);
  });

  it('may read the credentials of storage, write the table, and nothing else', () => {
    const statements = ofFunction<{ PolicyDocument: { Statement: { Action: string | string[] }[] } }>(
      'AWS::IAM::Policy',
    )
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .flatMap(({ Action }) => Action);
    const services = new Set(statements.map((action) => action.replace(/:.*/, '')));
    expect(services).toEqual(new Set(['logs', 'dynamodb', 'secretsmanager']));
    expect(statements).toContain('dynamodb:PutItem');
    expect(JSON.stringify(ofFunction('AWS::IAM::Policy'))).toMatch(/secretsmanager:GetSecretValue.*"RseCredentials/);
    expect(properties).toMatchObject([
      { Environment: { Variables: { RSE_CREDENTIALS_SECRET_ID: expect.anything() } } },
    ]);
  });

  it('has alarms for runs that fail and for copies that fail for good, which the operations guide has', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/operations/alarms.md'), 'utf8');
    const alarms = resourcesOf<{ AlarmName: string; AlarmDescription: string; MetricName: string }>(
      template,
      'AWS::CloudWatch::Alarm',
    ).filter(([, { Properties }]) => Properties.AlarmName.includes(id));
    expect(alarms.map(([, { Properties }]) => [Properties.AlarmName, Properties.MetricName])).toEqual([
      [`test-${id}Errors`, 'Errors'],
      [`test-${id}Failed`, 'CopiesFailed'],
    ]);
    for (const [, { Properties }] of alarms) {
      const name = Properties.AlarmName.replace('test-', '');
      expect(guide).toMatch(
        new RegExp(`^\\| \`${name}\` +\\| ${Properties.AlarmDescription.replaceAll('.', '\\.')} `, 'm'),
      );
    }
  });
});

describe('the function of the movers', () => {
  it.each([
    ['on', template],
    ['off', withoutStreams],
  ])('knows whether another one streams: %s', (value, from) => {
    const variables = resourcesOf<FunctionProperties>(from, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
      id.startsWith('MoveData') ? [Properties.Environment.Variables] : [],
    );
    expect(variables).toMatchObject([{ STREAMS: value }]);
  });
});
