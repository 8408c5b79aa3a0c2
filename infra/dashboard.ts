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
      graph('Requests and errors', [api('Count'), api('4XXError'), api('5XXError')]),
      graph('Latency of answers, in milliseconds', [
        api('Latency', 'p50'),
        api('Latency', 'p90'),
        api('Latency', 'p99'),
      ]),
      graph('Concurrent executions and throttled invocations (whole account)', [
        account('ConcurrentExecutions', 'Maximum'),
        account('Throttles'),
      ]),
    );
    this.addWidgets(
      graph('Requests per group', perGroup('Invocations', 'Sum')),
      graph('Failed requests per group', perGroup('Errors', 'Sum')),
      graph('Duration per group, 90th percentile, in milliseconds', perGroup('Duration', 'p90')),
    );
    this.addWidgets(
      graph('Read and write units of the table', [
        table('ConsumedReadCapacityUnits'),
        table('ConsumedWriteCapacityUnits'),
      ]),
      graph('Throttled reads and writes of the table', [table('ReadThrottleEvents'), table('WriteThrottleEvents')]),
      graph('Latency of the table, in milliseconds', [
        table('SuccessfulRequestLatency', { Operation: 'Query' }, 'p99').with({ label: 'Query p99' }),
        table('SuccessfulRequestLatency', { Operation: 'TransactWriteItems' }, 'p99').with({
          label: 'Transaction p99',
        }),
      ]),
    );
    this.addWidgets(
      graph(
        'Iterator age of the stream, in milliseconds',
        perConsumer((consumer) => lambda(consumer, 'IteratorAge', 'Maximum')),
      ),
      graph(
        'Dead letters',
        perConsumer((consumer) => queue(consumer.deadLetters)),
      ),
      graph(
        'Failed scheduled runs',
        schedules.map((schedule) => lambda(schedule.lambda, 'Errors').with({ label: schedule.id })),
      ),
    );
  }
}

function graph(title: string, left: Metric[]): IWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}
