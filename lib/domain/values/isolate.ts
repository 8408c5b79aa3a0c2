import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { log } from '../../log.ts';
import { findDidAtFault } from '../../store/did-at-fault.ts';
import { formatDid } from './format-did.ts';

/** An operation on a batch of things of several owners, and what becomes of those for which it fails. */
export interface IsolatedRun<T, R> {
  /** The name of the things in the log; absent: the caller logs which ones were put aside. */
  readonly name?: string;
  readonly run: (items: readonly T[]) => Promise<R>;
  /** Puts aside those that fail: one, or all if the failure is that of all. It may throw the error, which ends the run. */
  readonly setAside: (failed: readonly T[], error: unknown) => Promise<R>;
  /** The DID of a thing. If the error names a DID, its thing is at fault, and no search for it is needed. */
  readonly didOf?: (item: T) => DidKey;
  /** Whether an error is that of all: nothing is gained by trying them apart. By default, the table does not answer. */
  readonly isShared?: (error: unknown) => boolean;
}

/**
 * Runs an operation on a batch and isolates what makes it fail: the DID that the error names is put aside; else a failed batch
 * is split into halves, down to the single thing. So nobody's thing holds up those of others, whatever state it is in.
 *
 * @returns What the operation returned for the parts that succeeded, and what putting aside returned, in any order.
 * @throws What `setAside` throws.
 */
export async function isolate<T, R>(items: readonly T[], isolated: IsolatedRun<T, R>): Promise<R[]> {
  if (items.length === 0) return [];
  const { name, run, setAside, didOf, isShared = isOfTable } = isolated;
  try {
    return [await run(items)];
  } catch (error) {
    if (items.length > 1) {
      const [failed, others] = divide(items, didOf, findDidAtFault(error));
      if (failed.length > 0) return [await putAside(failed), ...(await isolate(others, isolated))];
      if (!isShared(error)) {
        const half = Math.ceil(items.length / 2);
        const first = await isolate(items.slice(0, half), isolated);
        return [...first, ...(await isolate(items.slice(half), isolated))];
      }
    }
    return [await putAside(items)];

    async function putAside(failed: readonly T[]): Promise<R> {
      const result = await setAside(failed, error);
      if (name === undefined) return result;
      const dids = didOf === undefined ? {} : { dids: failed.slice(0, maxNamed).map((item) => formatDid(didOf(item))) };
      log.error('what failed was put aside', { what: name, count: failed.length, ...dids, error: error as Error });
      return result;
    }
  }
}

/** The most DIDs that a record of the log names. */
const maxNamed = 10;

/** The things of the DID at fault, and the others. */
function divide<T>(
  items: readonly T[],
  didOf: ((item: T) => DidKey) | undefined,
  atFault: DidKey | undefined,
): readonly [T[], T[]] {
  if (didOf === undefined || atFault === undefined) return [[], [...items]];
  const name = formatDid(atFault);
  const isAtFault = (item: T) => formatDid(didOf(item)) === name;
  return [items.filter(isAtFault), items.filter((item) => !isAtFault(item))];
}

const isOfTable = (error: unknown) => error instanceof RucioError && error.name === 'DatabaseException';

/**
 * Decides about a failure of work that is tried again soon. An error of the table ends the run; any other failure leaves out the one
 * thing that has failed.
 */
export async function leaveOut<R>(error: unknown, result: R): Promise<R> {
  if (isOfTable(error) && findDidAtFault(error) === undefined) throw error;
  return result;
}
