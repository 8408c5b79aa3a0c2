import { env } from './env.ts';

/** The CloudWatch namespace of Dapple's metrics. */
export const metricNamespace = 'Dapple';

/** A metric of Dapple. */
export type MetricName = 'ChangesGivenUp' | 'EventsShortened' | 'DeletionsRefused' | 'CopiesFailed' | 'ClocksWrong';

/**
 * Members of a log record that make CloudWatch count 1 for a metric of this function (embedded metric format). Costs no
 * request.
 */
export function countMetric(name: MetricName): Readonly<Record<string, unknown>> {
  const metrics = {
    Namespace: metricNamespace,
    Dimensions: [['FunctionName']],
    Metrics: [{ Name: name, Unit: 'Count' }],
  };
  return {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [metrics] },
    FunctionName: env.functionName ?? 'local',
    [name]: 1,
  };
}
