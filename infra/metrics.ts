import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';

import { metricNamespace, type MetricName } from '../lib/metric.ts';
import type { ApiFunction } from './api-function.ts';
import type { CatalogTable } from './catalog-table.ts';
import type { HouseFunction } from './house-function.ts';
import type { DappleApi } from './rest-api.ts';
import type { ScheduledFunction } from './scheduled-function.ts';
import type { StreamConsumer } from './stream-consumer.ts';

/** What alarms and dashboard look at. */
export interface Watched {
  readonly api: DappleApi;
  readonly table: CatalogTable;
  readonly groups: readonly {
    readonly name: string;
    readonly prefixes: readonly string[];
    readonly lambda: ApiFunction;
  }[];
  /** With what is late or missing when they fail, as a sentence without its end. */
  readonly consumers: readonly { readonly id: string; readonly consumer: StreamConsumer; readonly loses: string }[];
  /** With what a person loses when they fail. */
  readonly schedules: readonly {
    readonly id: string;
    readonly lambda: ScheduledFunction;
    readonly loses: string;
    readonly mustRun: true | undefined;
  }[];
  readonly rotation: HouseFunction | undefined;
}

const fiveMinutes = Duration.minutes(5);

/** The metrics of the parts of the stack, by the names that AWS gives them. */
export function metrics({ api, table }: Pick<Watched, 'api' | 'table'>) {
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
    lambda: ({ lambda }: Pick<HouseFunction, 'lambda'>, name: string, statistic = 'Sum', period = fiveMinutes) =>
      inLambda(name, { FunctionName: lambda.functionName }, statistic, period),
    /** What a function counts in its log. */
    own: ({ lambda }: Pick<HouseFunction, 'lambda'>, name: MetricName) =>
      metricOf(metricNamespace)(name, { FunctionName: lambda.functionName }, 'Sum'),
    /** Of all functions of the account and region, who share what may run at once. */
    account: (name: string, statistic = 'Sum') => inLambda(name, {}, statistic),
    queue: ({ queueName }: Queue) =>
      metricOf('AWS/SQS')('ApproximateNumberOfMessagesVisible', { QueueName: queueName }, 'Maximum'),
    table: (name: string, dimensions: Record<string, string> = {}, statistic = 'Sum') =>
      inTable(name, { TableName: table.tableName, ...dimensions }, statistic),
  };
}
