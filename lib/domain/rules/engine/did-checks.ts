import { requireSettled } from '../../../store/entities/did-conditions.ts';
import { changeDid, type CollectionDid } from '../../../store/entities/did.ts';
import { type Change, LostRace } from '../../../store/items/plan.ts';
import { formatDid } from '../../values/format-did.ts';

/** The write that fails unless a collection is as it was read. */
export function planUnchangedCheck(did: CollectionDid): Change {
  return changeDid(
    did,
    {},
    { when: requireSettled(did), onMismatch: () => new LostRace(`${formatDid(did)} was changed concurrently`) },
  );
}

/** Adds a collection as it was read, unless it was read before. */
export function keepFirst(read: Map<string, CollectionDid>, did: CollectionDid): void {
  const key = formatDid(did);
  if (!read.has(key)) read.set(key, did);
}
