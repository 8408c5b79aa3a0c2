import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { stagedBatches, type Item, type Patch } from '../item.ts';
import { didOf, keys, shards } from '../keys.ts';
import { mergeSorted } from '../merge.ts';
import { type Change, Collision, type Insert } from '../plan.ts';
import type { Table } from '../table.ts';

/** What every DID carries; dates in milliseconds since 1970. */
export interface Did extends DidKey {
  readonly type: DidType;
  readonly account: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiredAt?: number;
  /** Collections only. */
  readonly open?: boolean;
  readonly monotonic?: boolean;
  readonly closedAt?: number;
  /** Size of a file; of a dataset the exact sum over its files; of a container see docs/data-model.md. */
  readonly bytes?: Integer;
  /** Number of files of a collection. */
  readonly length?: Integer;
  readonly events?: Integer;
  readonly adler32?: string;
  readonly md5?: string;
  /** 32 lower-case hex digits. */
  readonly guid?: string;
  readonly availability?: string;
  readonly isArchive?: boolean;
  readonly constituent?: boolean;
  /** Metadata columns that were given a value, by their wire name (spec/dids.md 4.3). */
  readonly columns?: Readonly<Record<string, unknown>>;
  /** Free metadata. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** When a bulk request last changed the item, in milliseconds since 1970. */
  readonly foldedAt?: number;
  /** Counts the changes of the item. */
  readonly rev?: number;
  /** Bulk requests that have a change of this DID under way. */
  readonly unsettled: readonly string[];
  /** Replicas of a file by the id of their RSE. */
  readonly replicas: ReadonlyMap<string, Replica>;
}

/** A replica, on the item of its file. */
export interface Replica {
  /** Rucio's letter (spec/replication.md 1.9). */
  readonly state: string;
  /** Where it lies; on non-deterministic RSEs only. */
  readonly path?: string;
}

/** A DID that is to be made. */
export type NewDid = Omit<Did, 'unsettled' | 'rev' | 'foldedAt'>;

/** Before the id of an RSE: the attribute that holds a replica. One attribute each, so that none needs the others. */
const replicaPrefix = 'replica:';

/** The name of the attribute that holds the replica on an RSE. */
export function replicaAttribute(rseId: string): string {
  return replicaPrefix + rseId;
}

/** One DID. */
export async function getDid(table: Table, did: DidKey): Promise<Did | undefined> {
  const item = await table.get(keys.did(did));
  return item === undefined ? undefined : fromItem(item);
}

/** Many DIDs, in any order; those that do not exist are left out. */
export async function getDids(table: Table, dids: readonly DidKey[]): Promise<Did[]> {
  return (await table.getMany(dids.map(keys.did))).map(fromItem);
}

/** All DIDs of a scope in name order. */
export async function* listDids(table: Table, scope: string): AsyncGenerator<Did> {
  const streams = shards.map((shard) => table.query({ pk: keys.didShard(scope, shard) }));
  for await (const item of mergeSorted(streams, ({ SK }) => SK)) yield fromItem(item);
}

/** The DIDs of one shard of a scope in name order. */
export async function* listShard(table: Table, scope: string, shard: number): AsyncGenerator<Did> {
  for await (const item of table.query({ pk: keys.didShard(scope, shard) })) yield fromItem(item);
}

/** The write that makes a DID. */
export function insertDid(did: NewDid, onExists: () => Error): Insert {
  const { scope, name, replicas, ...attributes } = did;
  const index =
    did.type === 'FILE'
      ? did.guid === undefined
        ? {}
        : keys.guid(did.guid, did)
      : { ...keys.collection(did), ...keys.newCollection(did, did.type, did.createdAt) };
  const placed = [...replicas].map(([rseId, replica]) => [replicaAttribute(rseId), replica]);
  return {
    kind: 'insert',
    item: { ...keys.did({ scope, name }), ...index, ...attributes, ...Object.fromEntries(placed) },
    onExists,
  };
}

/** The write that changes a DID. */
export function changeDid(
  did: DidKey,
  patch: Patch,
  options: { readonly when?: Change['when']; readonly onMismatch: (existing: Did | undefined) => Error },
): Change {
  return {
    kind: 'change',
    key: keys.did(did),
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    ...(options.when === undefined ? {} : { when: options.when }),
    onMismatch: (item) => options.onMismatch(item === undefined ? undefined : fromItem(item)),
  };
}

/**
 * For a decision that must not overlap with a bulk request: nothing may be under way on the DID.
 *
 * @returns The condition that nothing has begun since the DID was read.
 * @throws Collision when something is under way.
 */
export function settled(did: Did): { readonly rev: number | undefined } {
  const [batch] = did.unsettled;
  if (batch !== undefined) throw new Collision(batch);
  return { rev: did.rev };
}

function fromItem(item: Item): Did {
  const replicas = new Map<string, Replica>();
  const did: Record<string, unknown> = { ...didOf(item), replicas, unsettled: stagedBatches(item) };
  for (const [attribute, value] of Object.entries(item)) {
    if (attribute.startsWith(replicaPrefix)) replicas.set(attribute.slice(replicaPrefix.length), value as Replica);
    else if (!notOfDid.has(attribute)) did[attribute] = value;
  }
  return did as unknown as Did;
}

const notOfDid = new Set(['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK', 'batch', 'gone']);
