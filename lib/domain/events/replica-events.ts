import { isDeepStrictEqual } from 'node:util';

import { LockState, lockStateNames, ReplicaState, replicaStateNames } from '../../contract/schemas/states.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import type { Transfer } from '../../store/entities/transfer.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { countReplicaLocks } from '../values/replica-state.ts';
import { draftDidEvent, type EventDraft, formatMessageDate } from './draft-event.ts';
import type { EventFacts } from './event-facts.ts';

/** Events of the replicas of a file, and of the copies that rules asked for. */
export function eventsOfReplicas(
  before: FileDid | undefined,
  after: FileDid | undefined,
  facts: EventFacts,
): EventDraft[] {
  const ids = new Set([...(before?.replicas.keys() ?? []), ...(after?.replicas.keys() ?? [])]);
  return [...ids].flatMap((id) => eventsOfReplica(id, { before, after }, facts));
}

interface Images {
  readonly before: FileDid | undefined;
  readonly after: FileDid | undefined;
}

function eventsOfReplica(id: string, { before, after }: Images, facts: EventFacts): EventDraft[] {
  const place = { rse: facts.rseName(id), rse_id: id };
  const [old, present] = [before?.replicas.get(id), after?.replicas.get(id)];
  if (after === undefined || present === undefined) return before === undefined ? [] : [deletion(before, place)];
  const data = describe(after, present, place);
  if (before === undefined || old === undefined) return [draftDidEvent('ADD_REPLICA', after, data)];
  const end = [
    ...endOfTransfer(after, { old, present, place }, facts),
    ...endOfDeletion(after, { old, present, place }),
  ];
  return isDeepStrictEqual(describe(before, old, place), data)
    ? end
    : [draftDidEvent('UPDATE_REPLICA', after, data), ...end];
}

interface Place {
  readonly rse: string;
  readonly rse_id: string;
}

function describe(file: FileDid, replica: Replica, place: Place) {
  const { state, until, path = null, tombstone, locks = {} } = replica;
  const held = Object.entries(locks).map(([id, lock]) => [id, { ...lock, state: lockStateNames[lock.state] }] as const);
  return {
    ...place,
    state: replicaStateNames[state],
    until: formatMessageDate(until),
    path,
    account: replica.account ?? file.account,
    bytes: file.bytes ?? null,
    tombstone: formatMessageDate(tombstone),
    lock_cnt: countReplicaLocks(replica),
    locks: Object.fromEntries(held),
  };
}

/** A replica was deleted. */
function deletion(file: FileDid, place: Place): EventDraft {
  return draftDidEvent('deletion-done', file, describeDeletion(file, place));
}

/** A deletion has failed. The error disappears when a reaper marks the replica again. */
function endOfDeletion(file: FileDid, { old, present, place }: Step): EventDraft[] {
  const { state, deletionError } = present;
  if (state !== ReplicaState.BEING_DELETED || deletionError === undefined || old.deletionError !== undefined) return [];
  return [draftDidEvent('deletion-failed', file, { ...describeDeletion(file, place), reason: deletionError })];
}

/** The keys of Rucio's reaper. The catalogue does not know how the file was deleted from the storage, so those are null. */
function describeDeletion(file: FileDid, place: Place) {
  const bytes = file.bytes ?? null;
  const unknown = { url: null, protocol: null, duration: null };
  return { ...place, 'file-size': bytes, bytes, ...unknown, datatype: file.columns['datatype'] ?? null };
}

interface Step {
  readonly old: Replica;
  readonly present: Replica;
  readonly place: Place;
}

/** A copy that a rule asked for is done or failed; no event when the copy was cancelled. */
function endOfTransfer(file: FileDid, { old, present, place }: Step, { rules }: EventFacts): EventDraft[] {
  const { askedBy } = old;
  if (askedBy === undefined || old.state !== ReplicaState.COPYING) return [];
  const isStuck = present.state === ReplicaState.UNAVAILABLE && present.locks?.[askedBy]?.state === LockState.STUCK;
  if (present.state !== ReplicaState.AVAILABLE && !isStuck) return [];
  const rule = rules.get(askedBy);
  return [
    draftDidEvent(isStuck ? 'transfer-failed' : 'transfer-done', file, {
      ...unknownToCatalogue,
      activity: rule?.activity ?? null,
      account: rule?.account ?? null,
      'rule-id': askedBy,
      'checksum-adler': file.adler32 ?? null,
      'checksum-md5': file.md5 ?? null,
      'file-size': file.bytes ?? null,
      bytes: file.bytes ?? null,
      guid: file.guid ?? null,
      datatype: file.columns['datatype'] ?? null,
      'dst-rse': place.rse,
      'dst-rse-id': place.rse_id,
    }),
  ];
}

/** Only the transfer tool knows these. */
const unknownToCatalogue = Object.fromEntries(
  (
    'request-id duration previous-request-id protocol dataset datasetScope src-type src-rse src-url dst-type dst-url ' +
    'reason transfer-endpoint transfer-id transfer-link created_at submitted_at started_at transferred_at tool-id'
  )
    .split(' ')
    .map((key) => [key, null]),
);

/** A copy was requested. Rucio has no event for a cancelled copy; the event of the replica shows it. */
export function eventsOfTransfer({ before, after }: ChangeOf<'transfer'>, facts: EventFacts): EventDraft[] {
  return before === undefined && after !== undefined ? [queued(after, facts)] : [];
}

function queued(transfer: Transfer, { rseName, rules }: EventFacts): EventDraft {
  const { did, rseId, id, ruleId, createdAt } = transfer;
  const bytes = transfer.bytes ?? null;
  return draftDidEvent('transfer-queued', did, {
    'request-id': id,
    'request-type': 'transfer',
    'dst-rse-id': rseId,
    'dst-rse': rseName(rseId),
    state: 'queued',
    'retry-count': 0,
    'rule-id': ruleId,
    activity: rules.get(ruleId)?.activity ?? null,
    'file-size': bytes,
    bytes,
    'checksum-md5': null,
    'checksum-adler': null,
    queued_at: formatMessageDate(createdAt),
  });
}
