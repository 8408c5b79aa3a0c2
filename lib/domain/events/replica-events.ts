import { isDeepStrictEqual } from 'node:util';

import type { Did, Replica } from '../../store/entities/did.ts';
import type { Transfer } from '../../store/entities/transfer.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { lockCount, stateName } from '../values/replica-states.ts';
import { aboutDid, type EventDraft, messageDate } from './draft.ts';
import type { Facts } from './facts.ts';

/** What happened to the replicas of a file, and to the copies that rules were waiting for. */
export function eventsOfReplicas(before: Did | undefined, after: Did | undefined, facts: Facts): EventDraft[] {
  const ids = new Set([...(before?.replicas.keys() ?? []), ...(after?.replicas.keys() ?? [])]);
  return [...ids].flatMap((id) => eventsOfReplica(id, { before, after }, facts));
}

interface Images {
  readonly before: Did | undefined;
  readonly after: Did | undefined;
}

function eventsOfReplica(id: string, { before, after }: Images, facts: Facts): EventDraft[] {
  const place = { rse: facts.rseName(id), rse_id: id };
  const [old, present] = [before?.replicas.get(id), after?.replicas.get(id)];
  if (after === undefined || present === undefined) return before === undefined ? [] : [deletion(before, place)];
  const data = describe(after, present, place);
  if (before === undefined || old === undefined) return [aboutDid('ADD_REPLICA', after, data)];
  const end = endOfTransfer(after, { old, present, place }, facts);
  return isDeepStrictEqual(describe(before, old, place), data)
    ? end
    : [aboutDid('UPDATE_REPLICA', after, data), ...end];
}

interface Place {
  readonly rse: string;
  readonly rse_id: string;
}

const lockStates = { O: 'OK', R: 'REPLICATING', S: 'STUCK' } as const;

function describe(file: Did, replica: Replica, place: Place) {
  const { state, until, path = null, tombstone, locks = {} } = replica;
  const held = Object.entries(locks).map(([id, lock]) => [id, { ...lock, state: lockStates[lock.state] }] as const);
  return {
    ...place,
    state: stateName(state),
    until: messageDate(until),
    path,
    account: replica.account ?? file.account,
    bytes: file.bytes ?? null,
    tombstone: messageDate(tombstone),
    lock_cnt: lockCount(replica),
    locks: Object.fromEntries(held),
  };
}

/** The keys of Rucio's reaper; who has deleted the file from the storage is not told to the catalogue. */
function deletion(file: Did, place: Place): EventDraft {
  const bytes = file.bytes ?? null;
  const unknown = { url: null, protocol: null, duration: null };
  const datatype = file.columns['datatype'] ?? null;
  return aboutDid('deletion-done', file, { ...place, 'file-size': bytes, bytes, ...unknown, datatype });
}

interface Step {
  readonly old: Replica;
  readonly present: Replica;
  readonly place: Place;
}

/** A copy that a rule had asked for has come, or cannot come; nothing where it is not wanted any more. */
function endOfTransfer(file: Did, { old, present, place }: Step, { rules }: Facts): EventDraft[] {
  const { askedBy } = old;
  if (askedBy === undefined || old.state !== 'C') return [];
  const isStuck = present.state === 'U' && present.locks?.[askedBy]?.state === 'S';
  if (present.state !== 'A' && !isStuck) return [];
  const rule = rules.get(askedBy);
  return [
    aboutDid(isStuck ? 'transfer-failed' : 'transfer-done', file, {
      ...whatNobodySays,
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

/** What only those know who copy files. */
const whatNobodySays = Object.fromEntries(
  (
    'request-id duration previous-request-id protocol dataset datasetScope src-type src-rse src-url dst-type dst-url ' +
    'reason transfer-endpoint transfer-id transfer-link created_at submitted_at started_at transferred_at tool-id'
  )
    .split(' ')
    .map((key) => [key, null]),
);

/** A copy was asked for. That it is not wanted any more is no event of Rucio's; the replica says it. */
export function eventsOfTransfer({ before, after }: ChangeOf<'transfer'>, facts: Facts): EventDraft[] {
  return before === undefined && after !== undefined ? [queued(after, facts)] : [];
}

function queued(transfer: Transfer, { rseName, rules }: Facts): EventDraft {
  const { did, rseId, id, ruleId, createdAt } = transfer;
  const bytes = transfer.bytes ?? null;
  return aboutDid('transfer-queued', did, {
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
    queued_at: messageDate(createdAt),
  });
}
