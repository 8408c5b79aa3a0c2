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

import type { Config } from './config.ts';
import { metrics, type Watched } from './metrics.ts';

interface AlarmSettings {
  readonly metric: Metric;
  /** The alarm rings when the metric reaches this. */
  readonly from?: number;
  /** The alarm rings while the metric is below this, and where there is none. */
  readonly below?: number;
  /** Of three periods so many must reach it; absent: one is enough. */
  readonly ofThree?: 2 | 3;
  /** What a person loses while it rings. */
  readonly loses: string;
}

/** Alarms of a metric each; each says what a person loses. What to do stands in docs/operations.md. */
export class Alarms extends Construct {
  readonly #action: IAlarmAction | undefined;

  constructor(scope: Construct, id: string, { config, watched }: { config: Config; watched: Watched }) {
    super(scope, id);
    this.#action = config.alarmEmail === '' ? undefined : new SnsAction(alarmTopic(this, config.alarmEmail));
    const stack = Stack.of(this).stackName;
    for (const [name, { metric, from, below, ofThree, loses }] of Object.entries(alarmsOf(watched, config))) {
      const alarm = new Alarm(this, name, {
        alarmName: `${stack}-${name}`,
        alarmDescription: loses,
        metric,
        threshold: below ?? from ?? 1,
        comparisonOperator:
          below === undefined
            ? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
            : ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: ofThree === undefined ? 1 : 3,
        datapointsToAlarm: ofThree ?? 1,
        // Nobody there, nothing wrong; but for what has to happen.
        treatMissingData: below === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
        // A percentile of a handful of requests is one request.
        ...(/^p\d/.test(metric.statistic) ? { evaluateLowSampleCountPercentile: 'ignore' } : {}),
      });
      if (this.#action !== undefined) alarm.addAlarmAction(this.#action);
    }
  }
}

function alarmsOf(watched: Watched, config: Config): Readonly<Record<string, AlarmSettings>> {
  const { groups, consumers, schedules, rotation } = watched;
  const { api, lambda, own, queue, table, account } = metrics(watched);
  return {
    ApiErrors: {
      metric: api('5XXError', 'Average'),
      from: 0.01,
      ofThree: 2,
      loses: 'One request in a hundred, or more, is answered with an error of ours.',
    },
    ApiLatency: {
      metric: api('Latency', 'p90'),
      from: 10_000,
      ofThree: 3,
      loses: 'One request in ten, or more, takes longer than ten seconds.',
    },
    ApiLoad: {
      metric: api('Count', 'Sum', Duration.minutes(1)),
      from: Math.round(config.throttleRate * 60 * 0.8),
      ofThree: 3,
      loses: 'Soon requests are turned away with 503: four fifths of the rate that the gateway lets in are used up.',
    },
    ...entries(
      groups.filter(({ name }) => name === 'auth'),
      ({ lambda: group }) => [
        'LogInLatency',
        {
          metric: lambda(group, 'Duration', 'p99'),
          from: 3000,
          ofThree: 3,
          loses: 'One log-in in a hundred, or more, takes longer than three seconds.',
        },
      ],
    ),
    ...entries(groups, ({ name, prefixes, lambda: group }) => [
      `GroupErrors-${name}`,
      {
        metric: lambda(group, 'Errors'),
        from: 5,
        loses: `Requests to ${prefixes.join(' ')} end without an answer, or in the midst of it.`,
      },
    ]),
    Throttles: {
      metric: account('Throttles'),
      from: 1,
      ofThree: 2,
      loses: 'Requests are turned away, and what follows from changes waits: the account has no functions left to run.',
    },
    ...entries(consumers, ({ id, loses, consumer }) => [
      `${id}Lag`,
      { metric: lambda(consumer, 'IteratorAge', 'Maximum'), from: 300_000, ofThree: 3, loses: `${loses} late.` },
    ]),
    ...entries(consumers, ({ id, loses, consumer }) => [
      `${id}DeadLetters`,
      {
        metric: queue(consumer.deadLetters),
        from: 1,
        loses: `${loses} missing for good, unless they are redriven within 24 hours.`,
      },
    ]),
    ...entries(consumers, ({ id, loses, consumer }) => [
      `${id}GivenUp`,
      {
        metric: own(consumer, 'ChangesGivenUp'),
        from: 1,
        loses: `${loses} missing for good where a change could not be followed.`,
      },
    ]),
    ...entries(schedules, ({ id, loses, lambda: scheduled }) => [
      `${id}Errors`,
      { metric: lambda(scheduled, 'Errors', 'Sum', Duration.minutes(15)), from: 3, loses },
    ]),
    ...entries(
      schedules.filter(({ mustRun }) => mustRun === true),
      ({ id, loses, lambda: scheduled }) => [
        `${id}Missing`,
        { metric: lambda(scheduled, 'Invocations', 'Sum', Duration.minutes(15)), below: 1, loses },
      ],
    ),
    TableReadThrottles: {
      metric: table('ReadThrottleEvents'),
      from: 1,
      ofThree: 3,
      loses: 'Reading takes longer, and some requests are answered with 503: a part of the table is read too often.',
    },
    TableWriteThrottles: {
      metric: table('WriteThrottleEvents'),
      from: 1,
      ofThree: 3,
      loses: 'Writing takes longer, and some requests are answered with 503: a part of the table is written too often.',
    },
    TableQueryErrors: {
      metric: table('SystemErrors', { Operation: 'Query' }),
      from: 5,
      loses: 'Lists and look-ups fail: DynamoDB has errors of its own.',
    },
    TableTransactionErrors: {
      metric: table('SystemErrors', { Operation: 'TransactWriteItems' }),
      from: 5,
      loses: 'Changes fail, none of them half-way: DynamoDB has errors of its own.',
    },
    ...(rotation === undefined
      ? {}
      : {
          TokenKeyRotation: {
            metric: lambda(rotation, 'Errors'),
            from: 1,
            loses:
              'Nothing yet: the key that signs tokens is not replaced, and stays in use for longer than it should.',
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
  // A policy of one's own takes the place of the one that lets the account publish.
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
