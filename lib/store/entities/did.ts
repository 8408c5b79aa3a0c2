import type { DidKey } from '../../contract/schemas/did.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import { sliceOfShard } from '../batches/shard-slice.ts';
import type { Range, Slice, Table } from '../batches/table.ts';
import type { Item, Patch } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import { shards } from '../values/shards.ts';
import { requireSettled } from './did-conditions.ts';
import { hiddenAttribute, isHidden, makeDidItem, readDidItem, replicaAttribute, toDid } from './did-item.ts';
import {
  type FileDid,
  type CollectionDid,
  type Did,
  isFile,
  isCollection,
  type Replica,
  type NewDid,
} from './did-types.ts';

export * from './did-types.ts';

/** One DID. */
export async function getDid(table: Table, did: DidKey): Promise<Did | undefined> {
  const item = await table.get(didKeys.did(did));
  return item === undefined ? undefined : toDid(item);
}

/** Many DIDs, in any order; those that do not exist are left out. */
export async function getDids(table: Table, dids: readonly DidKey[]): Promise<Did[]> {
  return (await table.getMany(dids.map(didKeys.did))).flatMap((item) => toDid(item) ?? []);
}

/** Many files, in any order; collections and DIDs that do not exist are left out. */
export async function getFiles(table: Table, dids: readonly DidKey[]): Promise<FileDid[]> {
  return (await getDids(table, dids)).filter(isFile);
}

/** Many datasets and containers, in any order; files and DIDs that do not exist are left out. */
export async function getCollections(table: Table, dids: readonly DidKey[]): Promise<CollectionDid[]> {
  return (await getDids(table, dids)).filter(isCollection);
}

/** The DIDs of a scope whose names begin with a prefix, in name order; `slice` by name. */
export function listByPrefix(table: Table, scope: string, prefix: string, slice: Slice = {}): AsyncGenerator<Did> {
  const range = { ...didKeys.prefix(prefix), ...sliceOfShard(didKeys.slice(slice)) };
  return mergeSorted(
    shards.map((shard) => listDids(table, { pk: didKeys.shard(scope, shard), ...range })),
    ({ name }) => name,
  );
}

/** The collections of a scope whose names begin with a prefix, in name order; `slice` by name. Eventually consistent. */
export function listCollections(
  table: Table,
  scope: string,
  prefix: string,
  slice: Slice = {},
): AsyncGenerator<CollectionDid> {
  const { GSI1PK: pk } = didKeys.collection({ scope, name: '' });
  return table.query({ index: 'GSI1', pk, ...didKeys.prefix(prefix), ...didKeys.slice(slice) }, toCollection);
}

function toCollection(item: Item): CollectionDid | undefined {
  const did = toDid(item);
  return did !== undefined && isCollection(did) ? did : undefined;
}

function listDids(table: Table, range: Range): AsyncGenerator<Did> {
  return table.query(range, toDid);
}

/** The DIDs of one shard of a scope in name order; `slice` by name. */
export function listShard(table: Table, scope: string, shard: number, slice: Slice = {}): AsyncGenerator<Did> {
  return listDids(table, { pk: didKeys.shard(scope, shard), ...didKeys.slice(slice) });
}

/** The files of a GUID; usually one, since clients choose GUIDs. Eventually consistent. */
export async function* listByGuid(
  table: Table,
  guid: string,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<FileDid> {
  const { GSI1SK } = after === undefined ? {} : didKeys.guid(guid, after);
  for await (const did of listDids(table, {
    index: 'GSI1',
    pk: didKeys.guidPartition(guid),
    after: GSI1SK,
    pageSize,
  })) {
    if (isFile(did)) yield did;
  }
}

/** The write that inserts a DID. If one of that name is still being deleted, the operation is retried. */
export function insertDid(did: NewDid, onExists: () => Error): Insert {
  return {
    kind: 'insert',
    item: makeDidItem(did),
    onExists: (existing) =>
      isHidden(existing) ? new LostRace(`${did.scope}:${did.name} is being deleted`) : onExists(),
  };
}

/** The write that changes a DID; one that is being deleted only with `evenHidden`. */
export function changeDid(
  did: DidKey,
  patch: Patch,
  options: {
    readonly when?: Change['when'];
    readonly evenHidden?: boolean;
    readonly onMismatch: (existing: Did | undefined) => Error;
  },
): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    when: { ...options.when, ...(options.evenHidden === true ? {} : { [hiddenAttribute]: undefined }) },
    onMismatch: (item) => options.onMismatch(item === undefined ? undefined : toDid(item)),
  };
}

/**
 * The write that goes with an item about a DID, such as a rule. It fails if the DID was deleted since it was read; and a
 * deletion that has read the DID before fails, so it is planned again and includes the item.
 */
export function touchDid(did: DidKey): Change {
  return changeDid(did, {}, { onMismatch: () => new LostRace(`${did.scope}:${did.name} was deleted`) });
}

/** The check of a DID at the time at which the plan takes effect. */
export function checkDid(did: DidKey, when: NonNullable<Change['when']>, onMismatch: () => Error): Change {
  return { ...changeDid(did, {}, { when, onMismatch }), isCheck: true, isExact: true };
}

/** The write that hides a DID from all readers; its name stays taken until {@link eraseDid}. */
export function hideDid(did: Did, when: Change['when'], onMismatch: () => Error): Change {
  return changeDid(
    did,
    { set: { [hiddenAttribute]: true }, remove: ['GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'] },
    { ...(when === undefined ? {} : { when }), onMismatch },
  );
}

/** A DID that {@link hideDid} has hidden. */
export async function getHiddenDid(table: Table, did: DidKey): Promise<Did | undefined> {
  const item = await table.get(didKeys.did(did));
  return item !== undefined && isHidden(item) ? readDidItem(item) : undefined;
}

/**
 * The write that changes replicas of a file that was read, by the id of the RSE; undefined deletes the replica.
 *
 * @param set What else changes in the file.
 */
export function changeReplicas(
  file: FileDid,
  replicas: ReadonlyMap<string, Replica | undefined>,
  set: Pick<FileDid, 'availability'> = {},
): Change {
  const entries = Array.from(replicas, ([rseId, replica]) => [replicaAttribute(rseId), replica] as const);
  const patch = {
    set: { ...Object.fromEntries(entries.filter(([, replica]) => replica !== undefined)), ...set },
    remove: entries.filter(([, replica]) => replica === undefined).map(([attribute]) => attribute),
  };
  return changeDid(file, patch, {
    when: requireSettled(file),
    onMismatch: () => new LostRace(`${file.scope}:${file.name} was changed concurrently`),
  });
}

/** The write that notes when a collection that was read was used. */
export function changeAccess(did: CollectionDid, accessedAt: number): Change {
  return changeDid(
    did,
    { set: { accessedAt } },
    { onMismatch: () => new LostRace(`${did.scope}:${did.name} is gone`) },
  );
}

/** The write that deletes a DID that was read; its dependents need writes of their own. */
export function deleteDid(did: Did): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { delete: true },
    when: { [hiddenAttribute]: undefined, ...requireSettled(did) },
    onMismatch: () => new LostRace(`${did.scope}:${did.name} was changed concurrently`),
  };
}

/** The write that deletes a hidden DID. */
export function eraseDid(did: Did, onMismatch: () => Error): Change {
  return {
    kind: 'change',
    key: didKeys.did(did),
    patch: { delete: true },
    when: { [hiddenAttribute]: true, ...requireSettled(did) },
    onMismatch,
  };
}
