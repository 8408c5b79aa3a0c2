import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

import { readableStack } from './stack-trace.ts';

/** How many causes of an error are logged. */
const maxCauses = 5;

/** Logs name, message and stack of an error but no other members: errors of the SDK contain items. */
class ErrorFormatter extends LogFormatter {
  override formatAttributes(attributes: UnformattedAttributes, more: LogAttributes): LogItem {
    const own = {
      level: attributes.logLevel,
      message: attributes.message,
      timestamp: this.formatTimestamp(attributes.timestamp),
      service: attributes.serviceName,
      xray_trace_id: attributes.xRayTraceId,
    };
    return new LogItem({ attributes: own }).addAttributes(more);
  }

  override formatError(error: Error, depth = 0): LogAttributes {
    const { name, message, stack, cause } = error;
    const because = cause instanceof Error && depth < maxCauses ? this.formatError(cause, depth + 1) : undefined;
    return { name, message, stack: stack === undefined ? undefined : readableStack(stack), cause: because };
  }
}

/** The structured log, with one record per request. Headers, queries, bodies and tokens are never logged. */
export const log = new Logger({ serviceName: 'dapple', logFormatter: new ErrorFormatter() });
