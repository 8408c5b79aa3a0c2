import { isDeepStrictEqual } from 'node:util';

import { asCollection, type CollectionDid } from '../../../store/entities/did.ts';
import type { ChangeOf } from '../../../store/stream/change.ts';

/**
 * How long a change of metadata makes a new collection match again. Rucio polls for new DIDs, which gives clients some time
 * to describe a dataset after creating it.
 */
const describingPeriodMs = 600_000;

/** When a DID became new, in milliseconds since 1970: at its creation, or when it was flagged as new again. */
export function newSince({ newAt, createdAt }: CollectionDid): number {
  return newAt ?? createdAt;
}

/** Whether subscriptions may create rules for a collection (spec/access.md 3.7). */
export function isMatchable({ columns }: CollectionDid): boolean {
  return columns['hidden'] !== true;
}

/**
 * Whether a change of a collection requires matching: the collection is new, or new again, or got metadata while it was
 * new, or was closed and closing counts.
 */
export function requiresMatch({ at, ...change }: ChangeOf<'did'>, closingCounts: boolean): boolean {
  const [before, after] = [asCollection(change.before), asCollection(change.after)];
  if (after === undefined || !isMatchable(after)) return false;
  if (closingCounts && before?.open === true && after.open === false) return true;
  if (after.columns['is_new'] === false || after.columns['is_new'] === null) return false;
  if (before === undefined || newSince(before) !== newSince(after)) return true;
  return at < newSince(after) + describingPeriodMs && !isDeepStrictEqual(before.columns, after.columns);
}
