import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

import { tableDefinition } from '../lib/store/items/table-definition.ts';
import type { Config } from './config.ts';
import { metrics, type WatchedParts } from './metrics.ts';

interface AlarmSettings {
  readonly metric: Metric;
  /** The alarm goes off when the metric reaches this value. */
  readonly from?: number;
  /** The alarm goes off while the metric is below this value or missing. */
  readonly below?: number;
  /** How many of three periods must reach the value; absent: one period is enough. */
  readonly periodsOfThree?: 2 | 3;
  /** It exists with `monitoring=data` as well. */
  readonly guardsData?: boolean | undefined;
  /** The consequence for users, for the description of the alarm. */
  readonly consequence: string;
}

/** One alarm for each metric; its description names the consequence for users. docs/operations/alarms.md says what to do. */
export class Alarms extends Construct {
  readonly #actions: readonly IAlarmAction[];

  constructor(scope: Construct, id: string, { config, watched }: { config: Config; watched: WatchedParts }) {
    super(scope, id);
    const { alarmEmail, alarmTopicArn } = config;
    this.#actions = [
      ...(alarmEmail === '' ? [] : [new SnsAction(alarmTopic(this, alarmEmail))]),
      ...(alarmTopicArn === '' ? [] : [new SnsAction(Topic.fromTopicArn(this, 'OwnTopic', alarmTopicArn))]),
    ];
    const stack = Stack.of(this).stackName;
    for (const [name, settings] of Object.entries(alarmsOf(watched, config))) {
      const { metric, from, below, periodsOfThree, guardsData, consequence } = settings;
      if (config.monitoring === 'data' && guardsData !== true) continue;
      const alarm = new Alarm(this, name, {
        alarmName: `${stack}-${name}`,
        alarmDescription: consequence,
        metric,
        threshold: below ?? from ?? 1,
        comparisonOperator:
          below === undefined
            ? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
            : ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: periodsOfThree === undefined ? 1 : 3,
        datapointsToAlarm: periodsOfThree ?? 1,
        // No traffic is healthy, except for metrics that must always have data.
        treatMissingData: below === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
        // With few requests a percentile is a single request.
        ...(/^p\d/.test(metric.statistic) ? { evaluateLowSampleCountPercentile: 'ignore' } : {}),
      });
      alarm.addAlarmAction(...this.#actions);
    }
  }
}

function alarmsOf(watched: WatchedParts, config: Config): Readonly<Record<string, AlarmSettings>> {
  const { groups, consumers, schedules, rotation } = watched;
  const { api, lambda, own, queue, table, account } = metrics(watched);
  return {
    ApiErrors: {
      metric: api('5XXError', 'Average'),
      from: 0.01,
      periodsOfThree: 2,
      guardsData: true,
      consequence: 'At least one request in a hundred is answered with a server error (5xx).',
    },
    ApiLoad: {
      metric: api('Count', 'Sum', Duration.minutes(1)),
      from: Math.round(config.throttleRate * 60 * 0.8),
      periodsOfThree: 3,
      consequence: 'The gateway will soon throttle requests (503): their rate has reached 80 % of `throttleRate`.',
    },
    ...entries(
      groups.filter(({ name }) => name === 'auth'),
      ({ lambda: group }) => [
        'LogInLatency',
        {
          metric: lambda(group, 'Duration', 'p99'),
          from: 3000,
          periodsOfThree: 3,
          consequence: 'At least one log-in in a hundred takes longer than three seconds.',
        },
      ],
    ),
    ...entries(groups, ({ name, prefixes, lambda: group }) => [
      `GroupErrors-${name}`,
      {
        metric: lambda(group, 'Errors'),
        from: 5,
        consequence: `Requests to ${prefixes.join(' ')} fail without an answer, or their answers break off.`,
      },
    ]),
    // Answers to readers of events last a minute each.
    ...entries(
      groups.filter(({ name }) => name !== 'events'),
      ({ name, prefixes, lambda: group }) => [
        `GroupLatency-${name}`,
        {
          metric: lambda(group, 'Duration', 'p90'),
          from: 10_000,
          periodsOfThree: 3,
          consequence: `At least one request in ten to ${prefixes.join(' ')} takes longer than ten seconds.`,
        },
      ],
    ),
    Throttles: {
      metric: account('Throttles'),
      from: 1,
      periodsOfThree: 2,
      consequence:
        'Requests fail and changes are processed late: Lambda throttles functions at the concurrency quota of the account.',
    },
    ...entries(consumers, ({ id, consequence, consumer }) => [
      `${id}Lag`,
      {
        metric: lambda(consumer, 'IteratorAge', 'Maximum'),
        from: 300_000,
        periodsOfThree: 3,
        guardsData: true,
        consequence: `${consequence} late.`,
      },
    ]),
    ...entries(consumers, ({ id, consequence, consumer }) => [
      `${id}DeadLetters`,
      {
        metric: queue(consumer.deadLetters),
        from: 1,
        guardsData: true,
        consequence: `${consequence} lost unless the dead letters are redriven within 24 hours.`,
      },
    ]),
    ...entries(consumers, ({ id, consequence, consumer }) => [
      `${id}GivenUp`,
      {
        metric: own(consumer, 'ChangesGivenUp'),
        from: 1,
        guardsData: true,
        consequence: `${consequence} lost for the changes that could not be processed.`,
      },
    ]),
    ...entries(schedules, ({ id, consequence, guardsData, lambda: scheduled }) => [
      `${id}Errors`,
      { metric: lambda(scheduled, 'Errors', 'Sum', Duration.minutes(15)), from: 3, guardsData, consequence },
    ]),
    ...entries(
      schedules.filter(({ mustRun }) => mustRun === true),
      ({ id, consequence, guardsData, lambda: scheduled }) => [
        `${id}Missing`,
        { metric: lambda(scheduled, 'Invocations', 'Sum', Duration.minutes(15)), below: 1, guardsData, consequence },
      ],
    ),
    ...Object.fromEntries(
      schedules.flatMap(({ id, storage, lambda: scheduled }) =>
        storage === undefined
          ? []
          : [
              [
                `${id}${storage.alarm}`,
                { metric: own(scheduled, storage.metric), guardsData: true, consequence: storage.consequence },
              ] as const,
            ],
      ),
    ),
    TableReadThrottles: {
      metric: table('ReadThrottleEvents'),
      from: 1,
      periodsOfThree: 3,
      consequence:
        'Reads take longer and some requests are answered with 503: DynamoDB throttles reads, usually of one partition.',
    },
    TableWriteThrottles: {
      metric: table('WriteThrottleEvents'),
      from: 1,
      periodsOfThree: 3,
      consequence:
        'Writes take longer and some requests are answered with 503: DynamoDB throttles writes, usually to one partition.',
    },
    // The table's own metrics leave its indexes out, and a throttled index holds up the writes of the table.
    ...Object.fromEntries(
      tableDefinition.indexes.flatMap(({ name }) =>
        (['Read', 'Write'] as const).map((kind) => [
          `Index${kind}Throttles-${name}`,
          {
            metric: table(`${kind}ThrottleEvents`, { GlobalSecondaryIndexName: name }),
            from: 1,
            periodsOfThree: 3,
            consequence:
              kind === 'Read'
                ? 'Lists and searches take longer and some are answered with 503: DynamoDB throttles reads of an index.'
                : 'Writes take longer and some requests are answered with 503: DynamoDB throttles the writes of an index.',
          } satisfies AlarmSettings,
        ]),
      ),
    ),
    TableQueryErrors: {
      metric: table('SystemErrors', { Operation: 'Query' }),
      from: 5,
      consequence: 'Lists and look-ups fail: DynamoDB returns internal errors.',
    },
    TableTransactionErrors: {
      metric: table('SystemErrors', { Operation: 'TransactWriteItems' }),
      from: 5,
      consequence: 'Changes fail, each as a whole: DynamoDB returns internal errors.',
    },
    ...(rotation === undefined
      ? {}
      : {
          TokenKeyRotation: {
            metric: lambda(rotation, 'Errors'),
            from: 1,
            consequence:
              'No effect yet: the key that signs tokens is not rotated and stays in use for longer than intended.',
          },
        }),
  };
}

function entries<T>(things: readonly T[], entry: (thing: T) => [string, AlarmSettings]): Record<string, AlarmSettings> {
  return Object.fromEntries(things.map(entry));
}

function alarmTopic(scope: Construct, email: string): Topic {
  const topic = new Topic(scope, 'Topic', { displayName: 'Alarms of Dapple', enforceSSL: true });
  topic.addSubscription(new EmailSubscription(email));
  // A custom policy replaces the default one, which lets the account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(topic).account } },
    }),
  );
  return topic;
}
