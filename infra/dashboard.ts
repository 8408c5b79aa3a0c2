import { Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IWidget, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

import { metrics, type WatchedParts } from './metrics.ts';

/** The dashboard for troubleshooting, ordered from the callers' side to the table's. */
export class CatalogDashboard extends Dashboard {
  constructor(scope: Construct, id: string, watched: WatchedParts) {
    super(scope, id, { dashboardName: Stack.of(scope).stackName });
    const { groups, consumers, schedules } = watched;
    const { api, lambda, queue, table, account } = metrics(watched);
    const perGroup = (name: string, statistic: string) =>
      groups.map((group) => lambda(group.lambda, name, statistic).with({ label: group.name }));
    const perConsumer = (of: (consumer: WatchedParts['consumers'][number]['consumer']) => Metric) =>
      consumers.map(({ id: label, consumer }) => of(consumer).with({ label }));
    this.addWidgets(
      graph('Requests, and those answered with an error', [api('Count'), api('4XXError'), api('5XXError')]),
      graph('Milliseconds of an answer', [api('Latency', 'p50'), api('Latency', 'p90'), api('Latency', 'p99')]),
      graph('Functions at work at once, and turned away (whole account)', [
        account('ConcurrentExecutions', 'Maximum'),
        account('Throttles'),
      ]),
    );
    this.addWidgets(
      graph('Requests of each group', perGroup('Invocations', 'Sum')),
      graph('Broken requests of each group', perGroup('Errors', 'Sum')),
      graph('Milliseconds of each group, 90th percentile', perGroup('Duration', 'p90')),
    );
    this.addWidgets(
      graph('Units that the table was asked for', [
        table('ConsumedReadCapacityUnits'),
        table('ConsumedWriteCapacityUnits'),
      ]),
      graph('Requests that the table turned away', [table('ReadThrottleEvents'), table('WriteThrottleEvents')]),
      graph('Milliseconds of the table', [
        table('SuccessfulRequestLatency', { Operation: 'Query' }, 'p99').with({ label: 'Query p99' }),
        table('SuccessfulRequestLatency', { Operation: 'TransactWriteItems' }, 'p99').with({
          label: 'Transaction p99',
        }),
      ]),
    );
    this.addWidgets(
      graph(
        'Milliseconds that the stream is behind',
        perConsumer((consumer) => lambda(consumer, 'IteratorAge', 'Maximum')),
      ),
      graph(
        'Dead letters',
        perConsumer((consumer) => queue(consumer.deadLetters)),
      ),
      graph(
        'Failed runs of schedules',
        schedules.map((schedule) => lambda(schedule.lambda, 'Errors').with({ label: schedule.id })),
      ),
    );
  }
}

function graph(title: string, left: Metric[]): IWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}
