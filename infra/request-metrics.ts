import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { metricNamespace } from '../lib/metric.ts';

/** The metrics by operation: their names, and the member of the log record that is counted; 1: each record. */
const values = { Requests: '1', Milliseconds: '$.milliseconds', ReadUnits: '$.rru', WriteUnits: '$.wru' } as const;

/** Reads metrics out of the records that a function logs of its requests (lib/http/request-log.ts). */
export class RequestMetrics extends Construct {
  constructor(scope: Construct, id: string, logGroup: LogGroup) {
    super(scope, id);
    for (const [metricName, metricValue] of Object.entries(values)) {
      const member = metricValue === '1' ? '$.milliseconds' : metricValue;
      new MetricFilter(this, metricName, {
        logGroup,
        metricNamespace,
        metricName,
        metricValue,
        filterPattern: FilterPattern.all(FilterPattern.exists('$.operation'), FilterPattern.exists(member)),
        dimensions: { Operation: '$.operation' },
      });
    }
  }
}
