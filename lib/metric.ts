import { env } from './env.ts';

/** Where metrics of our own are, in CloudWatch. */
export const metricNamespace = 'Dapple';

/** A metric of our own. */
export type MetricName = 'ChangesGivenUp' | 'EventsShortened';

/**
 * What a log record holds besides, so that CloudWatch counts it: one of a metric of this function, in the embedded metric
 * format. Costs no request.
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
