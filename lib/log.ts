import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

import { readableStack } from './stack-trace.ts';

/** How many causes of an error are followed. */
const deepestCause = 5;

/** Writes of an error only what it says, never its members: those of the SDK's errors hold items. */
class PlainErrors extends LogFormatter {
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
    const because = cause instanceof Error && depth < deepestCause ? this.formatError(cause, depth + 1) : undefined;
    return { name, message, stack: stack === undefined ? undefined : readableStack(stack), cause: because };
  }
}

/** The structured log. One rich record per request; headers, queries, bodies and tokens are never handed to it. */
export const log = new Logger({ serviceName: 'dapple', logFormatter: new PlainErrors() });
