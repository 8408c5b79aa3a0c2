import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { listIdleCosts } from '../../bench/table/prices/idle-price.ts';
import { groups } from '../../lib/contract/index.ts';
import { tableDefinition } from '../../lib/store/items/table-definition.ts';
import { resourcesOf, templateOf } from './template.ts';

interface AlarmProperties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmActions?: unknown[];
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: { readonly Name: string; readonly Value: unknown }[];
  readonly Statistic?: string;
  readonly Threshold: number;
  readonly TreatMissingData: string;
  readonly Metrics?: unknown;
}

const template = templateOf({ monitoring: 'all' });
const alarms = resourcesOf<AlarmProperties>(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
const nameOf = ({ AlarmName }: AlarmProperties) => AlarmName.replace('test-', '');
const alarmOf = (name: string) => alarms.find((alarm) => nameOf(alarm) === name);

describe('alarms', () => {
  it.each(alarms)(
    '$AlarmName describes the effect on users, watches one metric, and stays in OK without traffic',
    (alarm) => {
      expect(alarm.AlarmDescription).toMatch(/^[A-Z].{20,}\.$/);
      expect(alarm.Metrics).toBeUndefined();
      expect(alarm.TreatMissingData).toBe(alarm.AlarmName.endsWith('Missing') ? 'breaching' : 'notBreaching');
      expect(alarm.Threshold).toBeGreaterThan(0);
    },
  );

  it('watch each group, each stream consumer with its dead letters, each schedule, and the token key', () => {
    const names = alarms.map(nameOf);
    for (const { name } of groups) expect(names).toContain(`GroupErrors-${name}`);
    const functionOf = (name: string) => JSON.stringify(alarmOf(name)?.Dimensions);
    for (const id of ['StreamConsumer', 'StreamFollowUp']) {
      expect(alarmOf(`${id}Lag`)).toMatchObject({
        MetricName: 'IteratorAge',
        Statistic: 'Maximum',
        Threshold: 300_000,
      });
      expect(alarmOf(`${id}DeadLetters`)).toMatchObject({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Threshold: 1,
      });
      expect(functionOf(`${id}Lag`)).toContain(`"${id}Function`);
      expect(functionOf(`${id}DeadLetters`)).toContain(`"${id}DeadLetters`);
    }
    const schedules = Object.keys(template.findResources('AWS::Events::Rule')).map((id) =>
      id.replace(/Schedule.*/, ''),
    );
    expect(schedules).toHaveLength(6);
    for (const id of schedules) expect(functionOf(`${id}Errors`)).toContain(`"${id}Function`);
    expect(functionOf('TokenKeyRotation')).toContain('"TokenKeyRotationFunction');
    expect(names).toEqual(
      expect.arrayContaining(['TableReadThrottles', 'TableWriteThrottles', 'Throttles', 'ApiErrors']),
    );
  });

  it('name the consequence when the recovery of bulk requests fails, and when it does not run', () => {
    expect(alarmOf('BatchRecoveryErrors')?.AlarmDescription).toMatch(/stay in the table, invisible/);
    expect(alarmOf('BatchRecoveryMissing')).toMatchObject({
      AlarmDescription: alarmOf('BatchRecoveryErrors')?.AlarmDescription,
      MetricName: 'Invocations',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });

  it('report refused deletions where the reaper may delete, which alone may read the credentials of storage', () => {
    expect(alarmOf('FreeSpaceRefused')).toBeUndefined();
    const reaping = templateOf({ reaper: 'on', monitoring: 'all' });
    const found = resourcesOf<AlarmProperties>(reaping, 'AWS::CloudWatch::Alarm').map(([, one]) => one.Properties);
    expect(found.find(({ AlarmName }) => AlarmName.endsWith('FreeSpaceRefused'))).toMatchObject({
      MetricName: 'DeletionsRefused',
      Namespace: 'Dapple',
      Threshold: 1,
    });
    const policy = (of: typeof template) =>
      JSON.stringify(resourcesOf<unknown>(of, 'AWS::IAM::Policy').filter(([id]) => id.startsWith('FreeSpace')));
    expect(policy(reaping)).toMatch(/secretsmanager:GetSecretValue.*"RseCredentials/);
    expect(policy(template)).not.toContain('secretsmanager');
    const variables = (of: typeof template) =>
      resourcesOf<{ Environment: { Variables: Record<string, unknown> } }>(of, 'AWS::Lambda::Function')
        .filter(([id]) => id.startsWith('FreeSpace'))
        .map(([, one]) => one.Properties.Environment.Variables);
    expect(variables(reaping)).toMatchObject([{ REAPER: 'on', RSE_CREDENTIALS_SECRET_ID: expect.anything() }]);
    expect(variables(template)).toMatchObject([{ REAPER: 'off' }]);
    expect(variables(template)[0]).not.toHaveProperty('RSE_CREDENTIALS_SECRET_ID');
  });

  it('warn at the rate limit of the stage', () => {
    expect(alarmOf('ApiLoad')).toMatchObject({ MetricName: 'Count', Threshold: 500 * 60 * 0.8 });
  });

  it('notify nobody, or the address in the context through a topic that only CloudWatch of this account writes to', () => {
    expect(alarms.flatMap(({ AlarmActions }) => AlarmActions ?? [])).toEqual([]);
    const told = templateOf({ monitoring: 'all', alarmEmail: 'operator@example.org' });
    told.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'operator@example.org' });
    for (const [id, { Properties }] of resourcesOf<AlarmProperties>(told, 'AWS::CloudWatch::Alarm')) {
      expect(Properties.AlarmActions, id).toEqual([{ Ref: expect.stringMatching(/^AlarmsTopic/) }]);
    }
    const [[, policy] = []] = resourcesOf<{ PolicyDocument: { Statement: object[] } }>(told, 'AWS::SNS::TopicPolicy');
    expect(policy?.Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
  });

  it('by default are those of what would be lost or never done, without a dashboard', () => {
    const few = templateOf();
    const names = resourcesOf<AlarmProperties>(few, 'AWS::CloudWatch::Alarm').map(([, one]) => nameOf(one.Properties));
    expect(names.toSorted()).toEqual([
      'ApiErrors',
      'BatchRecoveryErrors',
      'BatchRecoveryMissing',
      'FollowOwedErrors',
      'StreamConsumerDeadLetters',
      'StreamConsumerGivenUp',
      'StreamConsumerLag',
      'StreamFollowUpDeadLetters',
      'StreamFollowUpGivenUp',
      'StreamFollowUpLag',
    ]);
    few.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });

  it('cost, with all else of an idle stack by default, less than 3 USD a month', () => {
    const idle = Object.values(templateOf().toJSON()['Resources'] as Record<string, { Type: string }>);
    expect(listIdleCosts(idle).reduce((sum, { price }) => sum + price, 0)).toBeLessThan(3);
  });

  it('watch the indexes, whose throttling the metrics of the table leave out', () => {
    for (const { name } of tableDefinition.indexes) {
      for (const kind of ['Read', 'Write']) {
        const { Dimensions, MetricName } = alarmOf(`Index${kind}Throttles-${name}`) ?? {};
        expect(MetricName).toBe(`${kind}ThrottleEvents`);
        expect(Dimensions).toContainEqual({ Name: 'GlobalSecondaryIndexName', Value: name });
      }
    }
  });

  it('of latency are by group, without the readers of events, who wait for a minute', () => {
    expect(alarmOf('GroupLatency-dids')).toMatchObject({ MetricName: 'Duration', Threshold: 10_000 });
    expect(alarmOf('GroupLatency-events')).toBeUndefined();
  });

  it('and the dashboard can be left out', () => {
    const quiet = templateOf({ monitoring: 'off' });
    quiet.resourceCountIs('AWS::CloudWatch::Alarm', 0);
    quiet.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });

  it('are in the operations guide, each with its meaning and remedy', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/operations/alarms.md'), 'utf8');
    const rows = new Map(
      [...guide.matchAll(/^\| `([\w<>-]+)`\s*\| (.+?)\s*\| (.+?)\s*\|$/gm)].map(([, name = '', ...cells]) => [
        name,
        cells,
      ]),
    );
    const generic = (text: string) =>
      text.replace(/^(Group\w+)-.*/, '$1-<group>').replace(/^(Index\w+)-.*/, '$1-<index>');
    for (const alarm of alarms) {
      const [consequence, remedy = ''] = rows.get(generic(nameOf(alarm))) ?? [];
      if (!nameOf(alarm).startsWith('Group')) expect(consequence, nameOf(alarm)).toBe(alarm.AlarmDescription);
      expect(remedy.length, nameOf(alarm)).toBeGreaterThan(20);
    }
  });
});

describe('the dashboard', () => {
  const [[, dashboard] = []] = resourcesOf<{ DashboardBody: unknown }>(template, 'AWS::CloudWatch::Dashboard');
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);

  it.each([
    'Count',
    '5XXError',
    'Latency',
    'ConsumedReadCapacityUnits',
    'IteratorAge',
    'ConcurrentExecutions',
    'Duration',
  ])('shows %s', (metric) => expect(body).toContain(`\\"${metric}\\"`));

  it.each(groups)('shows the group $name', ({ name }) => expect(body).toContain(`\\"label\\":\\"${name}\\"`));
});
