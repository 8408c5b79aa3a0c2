import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import type { Change, Insert } from '../items/plan.ts';
import { attributesReader, isInteger, isNumber, optional } from '../items/read-attributes.ts';
import { rseKeys } from '../keys/rse-keys.ts';

/** Notes of a reaper about an RSE; times in milliseconds since 1970. */
export interface ReaperState {
  /** The end of the lease of the process that deletes from the RSE. */
  readonly leasedUntil: number;
  /** The RSE is left alone until then, since it has refused deletions. */
  readonly restUntil?: number;
  /** How often in a row it had to be left alone. */
  readonly rests?: number;
  /** Bytes that were deleted since the last report of its usage, and the time of that report. */
  readonly freed?: Integer;
  readonly reportedAt?: number;
  /** Counts the changes of the state. */
  readonly version: number;
}

/** The state of the reaper of an RSE; undefined: it never had anything to delete. */
export async function getReaperState(table: Table, rseId: string): Promise<ReaperState | undefined> {
  const item = await table.get(rseKeys.reaper(rseId));
  return item === undefined ? undefined : readState(item);
}

/**
 * The write that replaces the state.
 *
 * @param former The state that it follows; undefined when there is none yet.
 * @param onSuperseded Makes the error when the stored state is another one.
 */
export function putReaperState(
  rseId: string,
  next: Omit<ReaperState, 'version'>,
  former: ReaperState | undefined,
  onSuperseded: () => Error,
): Insert | Change {
  const version = (former?.version ?? 0) + 1;
  const key = rseKeys.reaper(rseId);
  if (former === undefined) return { kind: 'insert', item: { ...key, ...next, version }, onExists: onSuperseded };
  const remove = Object.keys(former).filter((name) => name !== 'version' && !Object.hasOwn(next, name));
  return {
    kind: 'change',
    key,
    patch: { set: { ...next, version }, remove },
    when: { version: former.version },
    onMismatch: onSuperseded,
  };
}

const readState = attributesReader<ReaperState>({
  leasedUntil: isNumber,
  restUntil: optional(isNumber),
  rests: optional(isNumber),
  freed: optional(isInteger),
  reportedAt: optional(isNumber),
  version: isNumber,
});
