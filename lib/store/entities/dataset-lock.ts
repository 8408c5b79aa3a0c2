import type { DidKey } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { didKeys, parentOf } from '../keys/did-keys.ts';
import { datasetLockOf, ruleKeys } from '../keys/rule-keys.ts';
import { shards } from '../values/shards.ts';

/** The lock of a rule on a dataset at an RSE. Account and state are those of the rule, sizes those of the dataset. */
export interface DatasetLock {
  readonly did: DidKey;
  readonly ruleId: string;
  readonly rseId: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** When a trace last said that the dataset was used there, to the hour; absent: none has. */
  readonly accessedAt?: number;
}

/** The locks on a dataset, by rule and RSE; `ruleId`: only those of one rule. */
export async function getDatasetLocks(table: Table, did: DidKey, ruleId?: string): Promise<DatasetLock[]> {
  const range = ruleId === undefined ? ruleKeys.datasetLocks : ruleKeys.datasetLocksOfRule(ruleId);
  const items = await Array.fromAsync(table.query({ pk: didKeys.partition(did), ...range }));
  return items.map(toDatasetLock);
}

/** A position in the list of the dataset locks on an RSE. */
export interface DatasetLockPlace {
  readonly did: DidKey;
  readonly ruleId: string;
}

/** The dataset locks on an RSE, by scope, name and rule. Eventually consistent. */
export function listLocksOnRse(
  table: Table,
  rseId: string,
  { after, pageSize }: Slice<DatasetLockPlace> = {},
): ReadyRows<DatasetLock> {
  const start = after === undefined ? undefined : ruleKeys.datasetLockOnRse(rseId, after.did, after.ruleId).GSI1SK;
  const streams = shards.map((shard) =>
    table.query({ index: 'GSI1', pk: ruleKeys.datasetLocksOnRse(rseId, shard), after: start, pageSize }),
  );
  return mapRows(
    mergeSorted(streams, ({ GSI1SK }) => String(GSI1SK)),
    toDatasetLock,
  );
}

/** The write that inserts a dataset lock. */
export function insertDatasetLock({ did, ruleId, rseId, createdAt }: DatasetLock): Insert {
  const index = ruleKeys.datasetLockOnRse(rseId, did, ruleId);
  return {
    kind: 'insert',
    item: { ...ruleKeys.datasetLock(did, ruleId, rseId), ...index, createdAt },
    onExists: () => new LostRace(`rule ${ruleId} has locked ${did.scope}:${did.name} concurrently`),
  };
}

/** The write that notes when the dataset of a lock was used. */
export function touchDatasetLock({ did, ruleId, rseId }: DatasetLock, accessedAt: number): Change {
  return {
    kind: 'change',
    key: ruleKeys.datasetLock(did, ruleId, rseId),
    patch: { set: { accessedAt } },
    onMismatch: () => new LostRace(`the lock of rule ${ruleId} on ${did.scope}:${did.name} is gone`),
  };
}

/** The write that deletes a dataset lock. */
export function deleteDatasetLock({ did, ruleId, rseId }: Omit<DatasetLock, 'createdAt'>): Change {
  return {
    kind: 'change',
    key: ruleKeys.datasetLock(did, ruleId, rseId),
    patch: { delete: true },
    onMismatch: () => new LostRace(`the lock of rule ${ruleId} on ${did.scope}:${did.name} is gone`),
  };
}

/** Reads a dataset lock out of its item. */
export function toDatasetLock(item: Item): DatasetLock {
  const { createdAt, accessedAt } = item;
  const used = typeof accessedAt === 'number' ? { accessedAt } : {};
  return { did: parentOf(item), ...datasetLockOf(item), createdAt: Number(createdAt), ...used };
}
