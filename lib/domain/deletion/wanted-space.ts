import { addIntegers, type Integer, negate } from '../../integer.ts';
import { ownSource, type RseUsage } from '../../store/entities/rse-usage.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { findTotalSpace, findUsedSpace } from '../rses/space-sources.ts';

/** Amount that a reaper deletes from an RSE, as Rucio's reaper decides it. */
export type WantedSpace =
  /** Everything that may be deleted: the attribute `greedyDeletion`. */
  | { readonly kind: 'everything' }
  /** Replicas in the order of the list, until so many bytes are free. */
  | { readonly kind: 'space'; readonly bytes: Integer }
  /**
   * Only what nobody wants to keep as a cache: replicas with the tombstone 1970-01-01. `isOverstated`: the files of the catalogue
   * would not fit on the storage, so that nothing follows from their sum.
   */
  | { readonly kind: 'obsolete'; readonly isOverstated?: true };

/**
 * Amount to delete from an RSE: until `MinFreeSpace` is free by what its sources of usage report. Without a report, or
 * without such a limit, only obsolete replicas go.
 *
 * @param freed The bytes that were deleted since the report of {@link findUsedSpace}.
 */
export function computeWantedSpace(rse: Rse, usages: readonly RseUsage[], freed: Integer): WantedSpace {
  const { attributes, limits } = rse;
  // As in Rucio any other value than false counts.
  if (attributes['greedyDeletion']) return { kind: 'everything' };
  const whole = findTotalSpace(rse, usages);
  const used = findUsedSpace(rse, usages);
  const minFree = limits['MinFreeSpace'] ?? 0;
  if (whole === undefined || used === undefined || minFree <= 0) return { kind: 'obsolete' };
  // More than there is can only be pretended: the catalogue knows sizes as clients have registered them.
  if (used.source === ownSource && (used.used ?? 0) > whole) return { kind: 'obsolete', isOverstated: true };
  // The catalogue's own sum has changed with the deletions, that of a storage has not.
  const inUse = subtract(used.used ?? 0, used.source === ownSource ? 0 : freed);
  const free = subtract(whole, inUse);
  const missing = subtract(minFree, free);
  return missing > 0 ? { kind: 'space', bytes: missing } : { kind: 'obsolete' };
}

const subtract = (a: Integer, b: Integer) => addIntegers(a, negate(b));
