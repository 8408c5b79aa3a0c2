import type { DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { deleteDeletable, insertDeletable } from '../../store/entities/deletable-replica.ts';
import type { Replica } from '../../store/entities/did.ts';
import type { Change, Insert } from '../../store/items/plan.ts';
import { countReplicaLocks } from '../values/replica-state.ts';

/*
 * The list of deletable replicas, by RSE (docs/adr/0020-deletion.md): every replica with a tombstone and without locks,
 * unless it is being copied. Each plan that changes replicas keeps it. The replica notes when it was entered, so that the
 * key of its entry is known from the item of its file.
 */

/** A replica as it is to be stored: with the time at which it was entered in the list, if it belongs there. */
export function noteListing(before: Replica | undefined, replica: Replica, now: number): Replica {
  const { listedAt: _listedAt, ...rest } = replica;
  if (!isListable(rest)) return rest;
  const stays = before?.listedAt !== undefined && before.tombstone === rest.tombstone;
  return { ...rest, listedAt: stays ? before.listedAt : now };
}

/** Whether a change of a replica removes its entry. */
export function leavesList(before: Replica | undefined, after: Replica | undefined): boolean {
  if (before?.listedAt === undefined) return false;
  return after === undefined || !isListable(after) || after.tombstone !== before.tombstone;
}

/** The writes that bring the list in line with a change of a replica; `after` as {@link noteListing} returns it. */
export function planListing(
  rseId: string,
  { scope, name }: DidKey,
  before: Replica | undefined,
  after: Replica | undefined,
): (Insert | Change)[] {
  const [former, present] = [before, after].map((replica) => placeInList(replica));
  if (former?.tombstone === present?.tombstone && former?.listedAt === present?.listedAt) return [];
  const file = { rseId, did: { scope, name } };
  return [
    ...(former === undefined ? [] : [deleteDeletable({ ...file, ...former })]),
    ...(present === undefined ? [] : [insertDeletable({ ...file, ...present })]),
  ];
}

/** Whether a replica belongs in the list. One that is being copied does so once its copy has ended. */
export function isListable(replica: Replica): boolean {
  const { state, tombstone } = replica;
  return tombstone !== undefined && state !== ReplicaState.COPYING && countReplicaLocks(replica) === 0;
}

function placeInList(replica: Replica | undefined) {
  const { tombstone, listedAt } = replica ?? {};
  return tombstone === undefined || listedAt === undefined ? undefined : { tombstone, listedAt };
}
