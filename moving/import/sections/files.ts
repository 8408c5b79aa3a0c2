import {
  BadReplicaState,
  type LockState,
  ReplicaState,
  replicaStateNames,
} from '../../../lib/contract/schemas/states.ts';
import { defined } from '../../../lib/defined.ts';
import { noteListing, planListing } from '../../../lib/domain/locks/deletable-list.ts';
import type { NewFileDid, Replica, ReplicaLock } from '../../../lib/store/entities/did.ts';
import { insertRseContent } from '../../../lib/store/entities/rse-content.ts';
import { insertSharedRsePath } from '../../../lib/store/entities/rse-path.ts';
import { insertTransfer } from '../../../lib/store/entities/transfer.ts';
import type { Insert } from '../../../lib/store/items/plan.ts';
import type { Row } from '../../rucio/relations.ts';
import { type Batch, derivedId, leftOut } from '../batch.ts';
import type { ImportContext } from '../import-context.ts';
import { makeRaceError } from '../race.ts';
import { type DidRow, readBase, readFileParts } from './did-parts.ts';

/** The rows of a file. */
export interface FileRows {
  readonly did: DidRow;
  readonly meta: Record<string, unknown>;
  readonly replicas: readonly Row<'replicas'>[];
  readonly locks: readonly Row<'locks'>[];
  readonly requests: readonly Row<'requests'>[];
  readonly bad: readonly Row<'bad_replicas'>[];
}

/** A file with its replicas and locks, and the items that belong to its replicas. */
export interface ImportedFile {
  readonly file: NewFileDid;
  readonly others: readonly Insert[];
}

/** Makes a file of its rows. Its usage is counted once it is taken: {@link countFile}. */
export function makeFile(rows: FileRows, batch: Batch, context: ImportContext): ImportedFile {
  const { did } = rows;
  const base = { ...readBase(did), ...readFileParts(did), meta: rows.meta };
  const locks = Map.groupBy(rows.locks, ({ rse_id: rseId }) => rseId);
  const replicas = new Map<string, Replica>();
  const others: Insert[] = [];
  for (const row of rows.replicas) {
    const rse = context.rses.get(row.rse_id);
    const state = Object.hasOwn(replicaStateNames, row.state) ? (row.state as ReplicaState) : undefined;
    if (rse === undefined || state === undefined) {
      const reason = rse === undefined ? 'its RSE is not in the table rses' : `its state is ${row.state}`;
      batch.note('replicas', [did.scope, did.name, row.rse_id], reason, leftOut);
      continue;
    }
    noteDifferences(row, did, batch);
    const path = rse.deterministic ? undefined : (row.path ?? undefined);
    const own = locks.get(row.rse_id) ?? [];
    const replica = makeReplica(rows, { row, state, path, locks: own });
    replicas.set(row.rse_id, replica);
    others.push(...insertBelongings(rows, row, replica));
  }
  return { file: { ...base, replicas }, others };
}

/** Adds the usage of a file that was taken to the sums, and notes its locks without a replica. */
export function countFile(
  { scope, name, bytes = 0, replicas }: NewFileDid,
  given: FileRows['locks'],
  batch: Batch,
): void {
  for (const [rseId, { locks = {} }] of replicas) {
    batch.sums.add(['rse', rseId], 1, bytes);
    for (const { account } of Object.values(locks)) batch.sums.add(['account', account, rseId], 1, bytes);
  }
  for (const { rse_id: rseId, rule_id: ruleId, state } of given) {
    if (replicas.has(rseId)) continue;
    batch.note('locks', [scope, name, ruleId, rseId], 'there is no such replica', leftOut);
    batch.sums.add(['lock', ruleId, state], -1);
  }
}

interface ReplicaRows {
  readonly row: Row<'replicas'>;
  readonly state: ReplicaState;
  readonly path: string | undefined;
  readonly locks: readonly Row<'locks'>[];
}

function makeReplica(rows: FileRows, { row, state, path, locks }: ReplicaRows): Replica {
  const { did } = rows;
  const replica: Replica = {
    state,
    ...defined({
      until: state === ReplicaState.TEMPORARY_UNAVAILABLE ? findEnd(rows, row) : undefined,
      path,
      createdAt: row.created_at === did.created_at ? undefined : row.created_at,
      updatedAt: row.updated_at === row.created_at ? undefined : row.updated_at,
      tombstone: row.tombstone ?? undefined,
      declared: state === ReplicaState.BAD ? findDeclaration(rows, row) : undefined,
      askedBy: state === ReplicaState.COPYING ? findRequester(rows, row, locks) : undefined,
      locks: locks.length === 0 ? undefined : Object.fromEntries(locks.map(makeLock)),
    }),
  };
  return noteListing(undefined, replica, row.updated_at);
}

function makeLock({ rule_id: ruleId, state, account }: Row<'locks'>): [string, ReplicaLock] {
  return [ruleId, { state: state as LockState, account }];
}

/** The end of the latest period in which the replica was declared temporarily unavailable. */
function findEnd({ bad }: FileRows, { rse_id: rseId }: Row<'replicas'>): number | undefined {
  return findLatest(bad, rseId, BadReplicaState.TEMPORARY_UNAVAILABLE)?.expires_at ?? undefined;
}

/** The open entry of the replica in the log of bad replicas. */
function findDeclaration({ bad }: FileRows, { rse_id: rseId }: Row<'replicas'>): Replica['declared'] {
  const declared = findLatest(bad, rseId, BadReplicaState.BAD);
  return declared === undefined ? undefined : { at: declared.created_at, id: badReplicaId(declared) };
}

function findLatest(bad: FileRows['bad'], rseId: string, state: BadReplicaState) {
  return bad
    .filter((one) => one.rse_id === rseId && one.state === state)
    .toSorted((a, b) => b.created_at - a.created_at)[0];
}

/** The id of an entry of the log of bad replicas; Rucio's have none. */
export function badReplicaId({ scope, name, rse_id: rseId, precise_at: at, account }: Row<'bad_replicas'>): string {
  return derivedId(8, scope, name, rseId, at, account);
}

/** The rule for which a replica is being copied: that of its request, or else of its first lock. */
function findRequester({ requests }: FileRows, { rse_id: rseId }: Row<'replicas'>, locks: readonly Row<'locks'>[]) {
  const waiting = new Set(locks.filter(({ state }) => state === 'R').map(({ rule_id: ruleId }) => ruleId));
  const request = requests.find(({ dest_rse_id: to, rule_id: id }) => to === rseId && id !== null && waiting.has(id));
  return request?.rule_id ?? [...waiting].toSorted()[0];
}

/** The items that a replica has beside that of its file. */
function insertBelongings(rows: FileRows, row: Row<'replicas'>, replica: Replica): Insert[] {
  const { scope, name, bytes } = rows.did;
  const { rse_id: rseId } = row;
  const did = { scope, name };
  const inserts = [insertRseContent(rseId, did, bytes ?? undefined, row.created_at, makeRaceError)];
  if (replica.path !== undefined) inserts.push(insertSharedRsePath(rseId, replica.path, did));
  for (const listing of planListing(rseId, did, undefined, replica))
    if (listing.kind === 'insert') inserts.push(listing);
  const { askedBy: ruleId } = replica;
  if (ruleId === undefined) return inserts;
  const request = rows.requests.find(({ dest_rse_id: to, rule_id: by }) => to === rseId && by === ruleId);
  const transfer = {
    id: request?.id ?? derivedId(32, 'transfer', scope, name, rseId),
    createdAt: request?.created_at ?? row.created_at,
  };
  const size = bytes === null ? {} : { bytes };
  return [...inserts, insertTransfer({ did, rseId, ruleId, ...transfer, ...size })];
}

function noteDifferences(row: Row<'replicas'>, did: DidRow, batch: Batch): void {
  for (const property of ['bytes', 'adler32', 'md5'] as const) {
    const [ofReplica, ofFile] = [row[property], did[property]];
    if (ofReplica === null || ofFile === null || ofReplica === ofFile) continue;
    const reason = `its ${property} is ${ofReplica}, that of the file ${ofFile}`;
    batch.note('replicas', [did.scope, did.name, row.rse_id], reason, 'taken with that of the file');
  }
}
