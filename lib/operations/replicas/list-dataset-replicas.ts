import type { DidKey } from '../../contract/schemas/did.ts';
import type { DatasetReplicaLine } from '../../contract/schemas/replica.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { findArchives } from '../../domain/replicas/find-archives.ts';
import { findDids } from '../../domain/replicas/find-dids.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { effectiveState } from '../../domain/values/replica-state.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import { mapLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type DatasetLock, getDatasetLocks } from '../../store/entities/dataset-lock.ts';
import { type CollectionDid, type Did, type FileDid, getFiles, type Replica } from '../../store/entities/did.ts';
import { listChildren } from '../../store/entities/edge.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';

/** Read in ten parallel batches of 100. */
const filesPerStep = 1_000;

const maxParallelDatasets = 8;

/** Which replicas are counted. */
interface Counting {
  readonly fleet: Fleet;
  readonly now: number;
  /** Count on all RSEs, and also files in archives, in separate lines; otherwise where a rule keeps the dataset. */
  readonly deep: boolean;
  /** Count on this RSE only; absent: on all. */
  readonly rseId?: string;
}

/**
 * How much of a dataset is available on each RSE that has a lock on it, by the names of the RSEs; with `deep` on each
 * RSE that has one of its files, and then on each that has one in an archive. Empty for any other DID
 * (spec/replication.md 1.6). Counts the files, so it is exact: a read per file, but none without locks.
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listDatasetReplicas(
  { store, now }: Context,
  dataset: DidKey,
  deep: boolean,
): AsyncGenerator<DatasetReplicaLine> {
  const [did, fleet] = await Promise.all([findDid(store.table, dataset), getFleet(store.table)]);
  yield* await countDatasetReplicas(store.table, did, { fleet, now, deep });
}

/** {@link listDatasetReplicas} for many datasets, in the given order. Unknown DIDs are skipped. */
export async function* listDatasetReplicasBulk(
  { store, now }: Context,
  dids: readonly DidKey[],
): AsyncGenerator<DatasetReplicaLine> {
  const [found, fleet] = await Promise.all([findDids(store.table, dids), getFleet(store.table)]);
  const datasets = [...new Set(dids.flatMap((did) => found.get(formatDid(did)) ?? []))];
  for await (const chunk of splitIntoChunks(datasets, maxParallelDatasets)) {
    const lines = await mapLimited(chunk, maxParallelDatasets, (did) =>
      countDatasetReplicas(store.table, did, { fleet, now, deep: false }),
    );
    yield* lines.flat();
  }
}

/** The lines of a dataset. Empty for any other DID. */
export async function countDatasetReplicas(
  table: Table,
  dataset: Did,
  counting: Counting,
): Promise<DatasetReplicaLine[]> {
  if (dataset.type !== 'DATASET') return [];
  return counting.deep ? countEverywhere(table, dataset, counting) : countWhereLocked(table, dataset, counting);
}

async function countEverywhere(table: Table, dataset: CollectionDid, counting: Counting) {
  const [own, archived] = [new Tally(counting), new Tally(counting)];
  const total = await countFiles(table, dataset, { own, archived });
  return [...own.lines(total), ...archived.lines(total)];
}

async function countWhereLocked(table: Table, dataset: CollectionDid, counting: Counting) {
  const locks = await getDatasetLocks(table, dataset);
  const own = new Tally(counting, new Set(locks.map(({ rseId }) => rseId)));
  for (const lock of locks) own.addLocked(lock);
  return own.isEmpty ? [] : own.lines(await countFiles(table, dataset, { own, archived: undefined }));
}

interface Tallies {
  readonly own: Tally;
  /** Undefined: files in archives are not counted. */
  readonly archived: Tally | undefined;
}

async function countFiles(table: Table, dataset: CollectionDid, { own, archived }: Tallies): Promise<DatasetTotal> {
  let length = 0;
  let bytes: Integer = 0;
  for await (const edges of splitIntoChunks(listChildren(table, dataset), filesPerStep)) {
    length += edges.length;
    for (const edge of edges) bytes = addIntegers(bytes, edge.bytes ?? 0);
    const files = await getFiles(
      table,
      edges.map(({ child }) => child),
    );
    for (const file of files) own.count(file, [file]);
    if (archived === undefined) continue;
    const constituents = files.filter(({ constituent }) => constituent === true);
    const archives = await findArchives(table, constituents);
    for (const file of constituents) archived.count(file, archives.get(formatDid(file)) ?? []);
  }
  return { dataset, length, bytes };
}

/** Part of a dataset on one RSE. */
interface Share {
  readonly rse: Rse;
  files: number;
  bytes: Integer;
  createdAt: number;
  updatedAt: number;
  accessedAt?: number | undefined;
}

/** A dataset with its total size. */
interface DatasetTotal {
  readonly dataset: DidKey;
  readonly length: number;
  readonly bytes: Integer;
}

/** Sums up what each RSE has of a dataset. */
class Tally {
  readonly #counting: Counting;
  readonly #rseIds: ReadonlySet<string> | undefined;
  readonly #shares = new Map<string, Share>();

  /** @param rseIds The RSEs that are counted; absent: all. */
  constructor(counting: Counting, rseIds?: ReadonlySet<string>) {
    this.#counting = counting;
    this.#rseIds = rseIds;
  }

  get isEmpty(): boolean {
    return this.#shares.size === 0;
  }

  /** Counts a file once on every RSE with an available replica of it, or of an archive that contains it. */
  count(file: FileDid, holders: readonly FileDid[]): void {
    const counted = new Set<string>();
    for (const holder of holders) {
      for (const [rseId, replica] of holder.replicas) {
        const rse = this.#rseOf(rseId, replica);
        if (rse === undefined) continue;
        this.#add(rse, counted.has(rseId) ? undefined : (file.bytes ?? 0), readTimes(holder, replica));
        counted.add(rseId);
      }
    }
  }

  /** Adds a line for an RSE with a dataset lock, even if no file is available there. */
  addLocked({ rseId, createdAt }: DatasetLock): void {
    const rse = this.#find(rseId);
    if (rse === undefined || this.#shares.has(rseId)) return;
    this.#shares.set(rseId, { rse, files: 0, bytes: 0, createdAt, updatedAt: createdAt });
  }

  lines({ dataset: { scope, name }, length, bytes }: DatasetTotal): DatasetReplicaLine[] {
    return [...this.#shares.values()]
      .toSorted((a, b) => (a.rse.rse < b.rse.rse ? -1 : 1))
      .map((share) => ({
        scope,
        name,
        rse: share.rse.rse,
        rse_id: share.rse.id,
        bytes,
        length,
        available_bytes: share.bytes,
        available_length: share.files,
        state: share.files === length ? 'AVAILABLE' : 'UNAVAILABLE',
        created_at: formatDate(share.createdAt),
        updated_at: formatDate(share.updatedAt),
        accessed_at: formatOptionalDate(share.accessedAt),
      }));
  }

  #rseOf(rseId: string, replica: Replica): Rse | undefined {
    return effectiveState(replica, this.#counting.now) === ReplicaState.AVAILABLE ? this.#find(rseId) : undefined;
  }

  #find(rseId: string): Rse | undefined {
    const { fleet, rseId: only } = this.#counting;
    if (only !== undefined && only !== rseId) return undefined;
    if (this.#rseIds?.has(rseId) === false) return undefined;
    const rse = fleet.byId.get(rseId);
    return rse?.deletedAt === undefined ? rse : undefined;
  }

  /** @param bytes Of the file; undefined if the file was counted on this RSE already. */
  #add(rse: Rse, bytes: Integer | undefined, { createdAt, updatedAt, accessedAt }: Times): void {
    const share = this.#shares.get(rse.id) ?? { rse, files: 0, bytes: 0, createdAt, updatedAt };
    this.#shares.set(rse.id, share);
    if (bytes !== undefined) {
      share.files += 1;
      share.bytes = addIntegers(share.bytes, bytes);
    }
    share.createdAt = Math.min(share.createdAt, createdAt);
    share.updatedAt = Math.max(share.updatedAt, updatedAt);
    if (accessedAt !== undefined) share.accessedAt = Math.max(share.accessedAt ?? 0, accessedAt);
  }
}

type Times = Pick<Share, 'createdAt' | 'updatedAt' | 'accessedAt'>;

function readTimes(file: FileDid, replica: Replica): Times {
  const createdAt = replica.createdAt ?? file.createdAt;
  return { createdAt, updatedAt: replica.updatedAt ?? createdAt, accessedAt: replica.accessedAt };
}
