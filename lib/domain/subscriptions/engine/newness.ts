import { isDeepStrictEqual } from 'node:util';

import type { Did } from '../../../store/entities/did.ts';
import type { ChangeOf } from '../../../store/stream/change.ts';

/**
 * How long metadata that is set on a new collection makes it match, in milliseconds. Rucio looks at what is new now and
 * then, so that whoever creates a dataset has some time to describe it.
 */
const describing = 600_000;

/** Since when a DID is new, in milliseconds since 1970: it was made then, or flagged as new again. */
export function sinceOf({ newAt, createdAt }: Did): number {
  return newAt ?? createdAt;
}

/** Whether subscriptions may make rules for a DID (spec/access.md 3.7). */
export function isWanted({ type, columns }: Did): boolean {
  return type !== 'FILE' && columns['hidden'] !== true;
}

/**
 * Whether a change has a collection matched against the subscriptions: it is new, it is new again, it was described while
 * it was new, or it was closed, where closing counts.
 */
export function asksForMatch({ before, after, at }: ChangeOf<'did'>, closingCounts: boolean): boolean {
  if (after === undefined || !isWanted(after)) return false;
  if (closingCounts && before?.open === true && after.open === false) return true;
  if (after.columns['is_new'] === false || after.columns['is_new'] === null) return false;
  if (before === undefined || sinceOf(before) !== sinceOf(after)) return true;
  return at < sinceOf(after) + describing && !isDeepStrictEqual(before.columns, after.columns);
}
