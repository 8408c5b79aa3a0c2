import { RucioError } from '../errors.ts';

/** Our transient errors: a retry may succeed. */
const transientErrors: ReadonlySet<string> = new Set([
  'ResourceTemporaryUnavailable',
  'DatabaseException',
  'RucioException',
]);

/**
 * Whether an error is permanent, caused by the change itself, so that every retry fails: an item that would be too
 * large, a request that the table refuses, a bug. All other errors may be caused by the network, the table or a
 * concurrent change, and are retried.
 */
export function isPermanentFailure(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isPermanentFailure);
  if (error instanceof RucioError) {
    return (
      !transientErrors.has(error.name) || (error.cause instanceof Error && error.cause.name === 'ValidationException')
    );
  }
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
