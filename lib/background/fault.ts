import { RucioError } from '../errors.ts';

/** Errors of ours that pass: what was to be done may succeed a moment later. */
const passing: ReadonlySet<string> = new Set(['ResourceTemporaryUnavailable', 'DatabaseException', 'RucioException']);

/**
 * Whether following a change failed because of what the change says, so that it fails however often it is tried: an item
 * that would be too large, a request that the table refuses, a fault of the code. Whatever else fails may be the fault of
 * the network, the table or the moment, and is no reason to give anything up.
 */
export function isFaultOfChange(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isFaultOfChange);
  if (error instanceof RucioError) {
    return !passing.has(error.name) || (error.cause instanceof Error && error.cause.name === 'ValidationException');
  }
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
