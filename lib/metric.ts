import { env } from './env.ts';

/** The CloudWatch namespace of Dapple's metrics. */
export const metricNamespace = 'Dapple';

/** The figures of a request that are measured by operation. */
interface Measured {
  readonly operation: string | undefined;
  readonly milliseconds: number;
  readonly rru?: number;
  readonly wru?: number;
}

/**
 * Members of the record of a request that make CloudWatch measure it by operation (embedded metric format). The number of requests
 * is the sample count of `Milliseconds`.
 */
export function operationMetrics({ operation, milliseconds, rru = 0, wru = 0 }: Measured): object {
  if (operation === undefined) return {};
  const metrics = {
    Namespace: metricNamespace,
    Dimensions: [['Operation']],
    Metrics: [
      { Name: 'Milliseconds', Unit: 'Milliseconds' },
      { Name: 'ReadUnits', Unit: 'Count' },
      { Name: 'WriteUnits', Unit: 'Count' },
    ],
  };
  return {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: [metrics] },
    Operation: operation,
    Milliseconds: milliseconds,
    ReadUnits: rru,
    WriteUnits: wru,
  };
}

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
