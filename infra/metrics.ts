import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';

import { metricNamespace, type MetricName } from '../lib/metric.ts';
import type { ApiFunction } from './api-function.ts';
import type { StorageUse } from './background.ts';
import type { CatalogTable } from './catalog-table.ts';
import type { DappleFunction } from './dapple-function.ts';
import type { DappleApi } from './rest-api.ts';
import type { ScheduledFunction } from './scheduled-function.ts';
import type { StreamConsumer } from './stream-consumer.ts';

/** The parts of the stack that alarms and dashboard watch. */
export interface WatchedParts {
  readonly api: DappleApi;
  readonly table: CatalogTable;
  readonly groups: readonly {
    readonly name: string;
    readonly prefixes: readonly string[];
    readonly lambda: ApiFunction;
  }[];
  /** With the consequence of a failure, a sentence without its end. */
  readonly consumers: readonly {
    readonly id: string;
    readonly consumer: StreamConsumer;
    readonly consequence: string;
  }[];
  /** With the consequence of a failure. */
  readonly schedules: readonly {
    readonly id: string;
    readonly lambda: ScheduledFunction;
    readonly consequence: string;
    readonly mustRun: true | undefined;
    readonly guardsData: true | undefined;
    /** How it uses the storage of RSEs; undefined: not at all. */
    readonly storage: StorageUse | undefined;
  }[];
  readonly rotation: DappleFunction | undefined;
}

const fiveMinutes = Duration.minutes(5);

/** The metrics of the stack's parts, by their AWS names. */
export function metrics({ api, table }: Pick<WatchedParts, 'api' | 'table'>) {
  const metricOf =
    (namespace: string) =>
    (metricName: string, dimensionsMap: Record<string, string>, statistic: string, period = fiveMinutes): Metric =>
      new Metric({ namespace, metricName, dimensionsMap, statistic, period });
  const inGateway = metricOf('AWS/ApiGateway');
  const inLambda = metricOf('AWS/Lambda');
  const inTable = metricOf('AWS/DynamoDB');
  return {
    api: (name: string, statistic = 'Sum', period = fiveMinutes) =>
      inGateway(name, { ApiName: api.restApiName, Stage: api.deploymentStage.stageName }, statistic, period),
    lambda: ({ lambda }: Pick<DappleFunction, 'lambda'>, name: string, statistic = 'Sum', period = fiveMinutes) =>
      inLambda(name, { FunctionName: lambda.functionName }, statistic, period),
    /** A metric that a function writes with its log. */
    own: ({ lambda }: Pick<DappleFunction, 'lambda'>, name: MetricName) =>
      metricOf(metricNamespace)(name, { FunctionName: lambda.functionName }, 'Sum'),
    /** A metric over all functions of the account and region, which share the concurrency limit. */
    account: (name: string, statistic = 'Sum') => inLambda(name, {}, statistic),
    queue: ({ queueName }: Queue) =>
      metricOf('AWS/SQS')('ApproximateNumberOfMessagesVisible', { QueueName: queueName }, 'Maximum'),
    table: (name: string, dimensions: Record<string, string> = {}, statistic = 'Sum') =>
      inTable(name, { TableName: table.tableName, ...dimensions }, statistic),
  };
}
