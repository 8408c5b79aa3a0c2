import type { DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { forEachLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type DatasetLock, getDatasetLocks, touchDatasetLock } from '../../store/entities/dataset-lock.ts';
import { changeAccess, type CollectionDid, type FileDid, type Replica } from '../../store/entities/did.ts';
import { listParentCollections } from '../../store/entities/parents.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Write } from '../../store/items/plan.ts';
import type { Store } from '../../store/open-store.ts';
import { ReplicaChanges } from '../locks/replica-changes.ts';
import { findDids } from '../replicas/find-dids.ts';
import type { AnonymousContext } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import { countReplicaLocks, readableStates } from '../values/replica-state.ts';
import type { Access } from './read-traces.ts';

/** A use that follows a noted one within this time is not noted. */
const pauseMs = 3_600_000;

/** The most files and datasets that are written in parallel. */
const maxParallelWrites = 8;

/** The most datasets of a file that are noted as used; further ones are ignored. */
const maxParents = 10;

/** The most locks of a dataset that are noted as used, of those on the RSEs of the access. */
const maxLocks = 20;

/** The number of notes that a caller may still make. */
export interface TouchBudget {
  /** Whether one more may be noted; counts it. */
  take(): boolean;
}

/**
 * Notes when files and datasets were used: on the replicas that were read, on the datasets above them, and on the locks of these
 * (spec/access.md 6.3). Each at most once an hour, at the time of the server. A replica that may be deleted when space is needed
 * goes to the end of the list; nothing that a trace says keeps one from being deleted.
 *
 * Costs a read for each file and dataset, a query for each file that is noted, and a write for each note. If another
 * request changes the file at the same moment, the use is not noted.
 */
export async function touchAccessed(
  { store, now }: AnonymousContext,
  accesses: readonly Access[],
  budget: TouchBudget,
): Promise<void> {
  const { byName } = await getFleet(store.table);
  const known = new Map(accesses.map((access) => [access, idsOf(access.rses, byName)]));
  const dids = await findDids(
    store.table,
    accesses.map(({ did }) => did),
  );
  /** By `scope:name`: the RSEs at which a dataset was used. */
  const datasets = new Map<string, { readonly did: DidKey; readonly rseIds: Set<string> }>();
  const used = (did: DidKey, rseIds: Iterable<string>) => {
    const dataset = datasets.get(formatDid(did)) ?? { did, rseIds: new Set() };
    datasets.set(formatDid(did), dataset);
    for (const id of rseIds) dataset.rseIds.add(id);
  };
  const files = new Map<FileDid, Set<string>>();
  for (const [{ kind, did }, rseIds] of known) {
    const found = dids.get(formatDid(did));
    if (found?.type === 'DATASET' && kind === 'dataset') used(found, rseIds);
    if (found?.type === 'FILE' && kind === 'file') files.set(found, new Set([...(files.get(found) ?? []), ...rseIds]));
  }
  await forEachLimited([...files], maxParallelWrites, async ([file, rseIds]) => {
    const stale = [...rseIds].filter((id) => isStale(file.replicas.get(id), now));
    if (stale.length === 0 || !budget.take()) return;
    await write(store, planFile(file, stale, now));
    let left = maxParents;
    for await (const parent of listParentCollections(store.table, file, { pageSize: maxParents })) {
      used(parent, stale);
      if ((left -= 1) <= 0) break;
    }
  });
  const present = await findDids(
    store.table,
    Array.from(datasets.values(), ({ did }) => did),
  );
  await forEachLimited([...datasets], maxParallelWrites, async ([key, { rseIds }]) => {
    const dataset = present.get(key);
    if (dataset?.type === 'DATASET') await touchDataset({ store, now }, dataset, rseIds, budget);
  });
}

function idsOf(names: readonly string[], byName: ReadonlyMap<string, { readonly id: string }>): string[] {
  return names.flatMap((name) => byName.get(name)?.id ?? []);
}

/** Whether a replica can be read, and a use of it is to be noted. */
function isStale(replica: Replica | undefined, now: number): boolean {
  return replica !== undefined && readableStates.has(replica.state) && (replica.accessedAt ?? 0) <= now - pauseMs;
}

function planFile(file: FileDid, rseIds: readonly string[], now: number): Write[] {
  const changes = new ReplicaChanges(now);
  for (const rseId of rseIds) {
    const replica = file.replicas.get(rseId);
    if (replica === undefined || replica.state === ReplicaState.BEING_DELETED) continue;
    changes.set(file, rseId, { ...replica, accessedAt: now, ...laterTombstone(replica, now) });
  }
  return changes.writes(new Set());
}

/** The tombstone after a use. One that says at once stays, and one that is still to come does so, too: a use shortens nothing. */
function laterTombstone(replica: Replica, now: number): Pick<Replica, 'tombstone'> {
  const { tombstone } = replica;
  if (tombstone === undefined || tombstone === 0 || countReplicaLocks(replica) > 0) return {};
  return { tombstone: Math.max(tombstone, now) };
}

async function touchDataset(
  { store, now }: AnonymousContext,
  dataset: CollectionDid,
  rseIds: ReadonlySet<string>,
  budget: TouchBudget,
): Promise<void> {
  const isOld = ({ accessedAt = 0 }: Pick<DatasetLock, 'accessedAt'>) => accessedAt <= now - pauseMs;
  if (isOld(dataset) && budget.take()) await write(store, [changeAccess(dataset, now)]);
  for (const lock of await findLocks(store.table, dataset, rseIds)) {
    if (isOld(lock) && budget.take()) await write(store, [touchDatasetLock(lock, now)]);
  }
}

async function findLocks(table: Table, dataset: DidKey, rseIds: ReadonlySet<string>): Promise<DatasetLock[]> {
  if (rseIds.size === 0) return [];
  const locks = await getDatasetLocks(table, dataset);
  return locks.filter(({ rseId }) => rseIds.has(rseId)).slice(0, maxLocks);
}

/** Writes a note unless somebody else changes the item. */
async function write(store: Store, writes: readonly Write[]): Promise<void> {
  let isFirst = true;
  await store.write(
    async () => {
      const mine = isFirst ? writes : [];
      isFirst = false;
      return mine;
    },
    { inBackground: true },
  );
}
