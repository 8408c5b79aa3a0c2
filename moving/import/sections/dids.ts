import type { BadReplicaState } from '../../../lib/contract/schemas/states.ts';
import { defined } from '../../../lib/defined.ts';
import { isValidDid } from '../../../lib/domain/values/did-names.ts';
import { insertBadReplica } from '../../../lib/store/entities/bad-replica.ts';
import { keepDeletedDid } from '../../../lib/store/entities/deleted-did.ts';
import { insertDid, type NewDid } from '../../../lib/store/entities/did.ts';
import { insertExpiry } from '../../../lib/store/entities/expiry.ts';
import { insertFollower } from '../../../lib/store/entities/follower.ts';
import { insertLifetimeException } from '../../../lib/store/entities/lifetime-exception.ts';
import type { Row, Rows } from '../../rucio/relations.ts';
import { type Batch, derivedId, leftOut } from '../batch.ts';
import type { ImportContext } from '../import-context.ts';
import { makeRaceError } from '../race.ts';
import { section } from '../section.ts';
import { type DidRow, readBase, readCollectionParts, readFileParts, readType } from './did-parts.ts';
import { badReplicaId, countFile, makeFile } from './files.ts';

const byDid = ['scope', 'name'] as const;

const nameOf = ({ scope, name }: { readonly scope: string | null; readonly name: string | null }) => `${scope}:${name}`;

/** The sections of DIDs with their replicas, and of what is left of deleted ones. */
export const didSections = [
  section({
    name: 'dids',
    drives: 'dids',
    rowsPerRange: 1_000,
    reads: {
      dids: byDid,
      did_meta: byDid,
      content_sums: byDid,
      replicas: byDid,
      locks: byDid,
      requests: byDid,
      bad_replicas: byDid,
      dids_followed: byDid,
    },
    convert: (rows, batch, context) => {
      const parts = groupRows(rows);
      const taken = new Set(rows.dids.filter((did) => takeDid(did, parts, batch, context)).map(nameOf));
      for (const lock of rows.locks) {
        // The rules of a DID that is left out are left out, too; but a file may be locked by the rule of a dataset.
        if (!taken.has(nameOf(lock))) batch.sums.add(['lock', lock.rule_id, lock.state], -1);
      }
      noteOrphans(rows, taken, batch);
      for (const { scope, name, account, created_at } of rows.dids_followed) {
        if (!taken.has(nameOf({ scope, name }))) continue;
        batch.take('dids_followed', [scope, name, account], () => [
          insertFollower({ scope, name }, account, created_at, makeRaceError),
        ]);
      }
      for (const bad of rows.bad_replicas) takeBadReplica(bad, batch);
    },
  }),
  section({
    name: 'deleted-dids',
    drives: 'deleted_dids',
    rowsPerRange: 2_000,
    reads: { deleted_dids: byDid },
    convert: ({ deleted_dids: dids }, batch) => {
      for (const did of dids) takeDeletedDid(did, batch);
    },
  }),
  section({
    name: 'lifetime-exceptions',
    drives: 'lifetime_except',
    rowsPerRange: 2_000,
    reads: { lifetime_except: ['id', 'scope', 'name'] },
    convert: ({ lifetime_except: exceptions }, batch) => {
      for (const row of exceptions) {
        const { id, scope, name, account, pattern, comments, created_at: createdAt, expires_at } = row;
        const didType = readType(row.did_type) ?? 'DATASET';
        const state = exceptionStates[row.state] ?? 'WAITING';
        const end = expires_at === null ? {} : { expiresAt: expires_at };
        batch.take('lifetime_except', [id, scope, name], () => [
          insertLifetimeException({
            id,
            did: { scope, name },
            didType,
            account,
            pattern,
            comments,
            state,
            createdAt,
            ...end,
          }),
        ]);
      }
    },
  }),
];

const exceptionStates: Readonly<Record<string, 'WAITING' | 'APPROVED' | 'REJECTED'>> = {
  W: 'WAITING',
  A: 'APPROVED',
  R: 'REJECTED',
};

type DidRelation =
  | 'dids'
  | 'did_meta'
  | 'content_sums'
  | 'replicas'
  | 'locks'
  | 'requests'
  | 'bad_replicas'
  | 'dids_followed';

function groupRows(rows: Rows<DidRelation>) {
  return {
    meta: new Map(rows.did_meta.map((row) => [nameOf(row), row.meta])),
    sums: new Map(rows.content_sums.map((row) => [nameOf(row), row])),
    replicas: Map.groupBy(rows.replicas, nameOf),
    locks: Map.groupBy(rows.locks, nameOf),
    requests: Map.groupBy(rows.requests, nameOf),
    bad: Map.groupBy(rows.bad_replicas, nameOf),
  };
}

type DidParts = ReturnType<typeof groupRows>;

/** Notes what belongs to a DID that is left out, or that is none. */
function noteOrphans(rows: Rows<DidRelation>, taken: ReadonlySet<string>, batch: Batch): void {
  const note = (table: string, did: DidName, ...key: readonly string[]) => {
    if (!taken.has(nameOf(did))) batch.note(table, [did.scope, did.name, ...key], 'its DID is not taken', leftOut);
  };
  for (const row of rows.did_meta) note('did_meta', row);
  for (const row of rows.replicas) note('replicas', row, row.rse_id);
  for (const row of rows.locks) note('locks', row, row.rule_id, row.rse_id);
  for (const row of rows.dids_followed) note('dids_followed', row, row.account);
}

interface DidName {
  readonly scope: string;
  readonly name: string;
}

/** @returns Whether the DID was taken. */
function takeDid(row: DidRow, parts: DidParts, batch: Batch, context: ImportContext): boolean {
  const { scope, name, expired_at: expiredAt } = row;
  const type = readType(row.did_type);
  const refusal = !isValidDid({ scope, name })
    ? 'Dapple has no DIDs of such names'
    : type === undefined
      ? `its type is ${row.did_type}`
      : undefined;
  if (refusal !== undefined || type === undefined) {
    batch.note('dids', [scope, name], refusal ?? '', leftOut);
    return false;
  }
  for (const property of ['obsolete', 'suppressed'] as const)
    if (row[property] === true) batch.note('dids', [scope, name], `it is ${property}`, 'taken without that');
  const isTaken =
    type === 'FILE' ? takeFile(row, parts, batch, context) : takeCollection(row, parts, { type, batch, context });
  if (isTaken && expiredAt !== null)
    batch.add(insertExpiry({ scope, name }, expiredAt, { id: derivedId(12, 'expiry', scope, name) }));
  return isTaken;
}

function takeFile(row: DidRow, parts: DidParts, batch: Batch, context: ImportContext): boolean {
  const key = nameOf(row);
  const { file, others } = makeFile(
    {
      did: row,
      meta: readMeta(parts.meta.get(key)),
      replicas: parts.replicas.get(key) ?? [],
      locks: parts.locks.get(key) ?? [],
      requests: parts.requests.get(key) ?? [],
      bad: parts.bad.get(key) ?? [],
    },
    batch,
    context,
  );
  if (!takeWithIndex(file, batch, context)) return false;
  batch.add(...others);
  countFile(file, parts.locks.get(key) ?? [], batch);
  return true;
}

function takeCollection(
  row: DidRow,
  parts: DidParts,
  { type, batch, context }: { type: 'DATASET' | 'CONTAINER'; batch: Batch; context: ImportContext },
): boolean {
  const found = parts.sums.get(nameOf(row));
  const content = { length: found?.length ?? 0, bytes: found?.bytes ?? 0, events: found?.events ?? 0 };
  // Rucio counts a container when it is closed: all files below it, each once.
  const isCounted = type === 'CONTAINER' && row.is_open !== true && row.length !== null;
  const sums = isCounted ? { ...content, length: row.length ?? 0, bytes: row.bytes ?? 0 } : content;
  for (const property of ['length', 'bytes', 'events'] as const) {
    if (type === 'CONTAINER' || row.is_open === true || row[property] === null || row[property] === sums[property])
      continue;
    const reason = `its ${property} is ${row[property]}, that of its content ${sums[property]}`;
    batch.note('dids', [row.scope, row.name], reason, 'taken with that of its content');
  }
  const meta = readMeta(parts.meta.get(nameOf(row)));
  return takeWithIndex({ ...readBase(row), ...readCollectionParts(row, type, sums), meta }, batch, context);
}

function takeWithIndex(did: NewDid, batch: Batch, context: ImportContext): boolean {
  const { scope, name } = did;
  const insert = insertDid(did, makeRaceError);
  if (!batch.take('dids', [scope, name], () => [insert])) return false;
  batch.addDid(insert, context);
  return true;
}

/** JSON metadata; SQLAlchemy stores some of it as a text of JSON. */
function readMeta(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function takeBadReplica(row: Row<'bad_replicas'>, batch: Batch): void {
  const { scope, name, rse_id: rseId, created_at: at, updated_at: updatedAt, account } = row;
  batch.take('bad_replicas', [scope, name, rseId, row.precise_at], () => [
    insertBadReplica({
      at,
      rseId,
      did: { scope, name },
      id: badReplicaId(row),
      account,
      state: row.state as BadReplicaState,
      ...defined({
        reason: row.reason ?? undefined,
        bytes: row.bytes ?? undefined,
        updatedAt: updatedAt === at ? undefined : updatedAt,
        until: row.expires_at ?? undefined,
      }),
    }),
  ]);
}

function takeDeletedDid(row: DidRow, batch: Batch): void {
  const { scope, name } = row;
  const type = readType(row.did_type);
  if (type === undefined || !isValidDid({ scope, name })) {
    batch.note('deleted_dids', [scope, name], 'Dapple has no DIDs of such names or types', leftOut);
    return;
  }
  const none = { length: row.length ?? 0, bytes: row.bytes ?? 0, events: row.events ?? 0 };
  const parts = type === 'FILE' ? { ...readFileParts(row), replicas: new Map() } : readCollectionParts(row, type, none);
  const did = { ...readBase(row), ...parts, meta: {}, unsettled: [], pending: new Map<string, string>() };
  batch.take('deleted_dids', [scope, name], () => [keepDeletedDid(did, row.deleted_at ?? row.updated_at, undefined)]);
}
