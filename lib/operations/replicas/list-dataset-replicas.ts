import type { DidKey } from '../../contract/schemas/did.ts';
import type { DatasetReplicaLine } from '../../contract/schemas/replica.ts';
import { findArchives } from '../../domain/replicas/find-archives.ts';
import { findDids } from '../../domain/replicas/find-dids.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { stateOf } from '../../domain/values/replica-states.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type DatasetLock, listDatasetLocks } from '../../store/entities/dataset-lock.ts';
import { type Did, getDids, type Replica } from '../../store/entities/did.ts';
import { listChildren } from '../../store/entities/edge.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDate } from '../../time.ts';

/** Files that are read at once: ten requests of 100. */
const filesPerStep = 1_000;

/** Datasets that are counted at once. */
const parallel = 8;

/** Which replicas are counted. */
interface Counting {
  readonly fleet: Fleet;
  readonly now: number;
  /** Counts what lies in archives as well, in lines of their own. */
  readonly deep: boolean;
  /** Of this RSE only; undefined: of all. */
  readonly rseId?: string;
}

/**
 * How much of a dataset is available on each RSE that has a file of it, or that a rule keeps it on, by the names of the
 * RSEs; of anything else, and of an unknown DID, nothing (spec/replication.md 1.6). Counted from the files, so that it is
 * exact: a read for each file.
 */
export async function* listDatasetReplicas(
  { store, now }: Context,
  dataset: DidKey,
  deep: boolean,
): AsyncGenerator<DatasetReplicaLine> {
  const [found, fleet] = await Promise.all([findDids(store.table, [dataset]), getFleet(store.table)]);
  for (const did of found.values()) yield* await countDatasetReplicas(store.table, did, { fleet, now, deep });
}

/** The same of many datasets, in the order in which they are named; unknown DIDs are passed over. */
export async function* listDatasetReplicasBulk(
  { store, now }: Context,
  dids: readonly DidKey[],
): AsyncGenerator<DatasetReplicaLine> {
  const [found, fleet] = await Promise.all([findDids(store.table, dids), getFleet(store.table)]);
  const datasets = [...new Set(dids.flatMap((did) => found.get(formatDid(did)) ?? []))];
  for await (const some of splitIntoChunks(datasets, parallel)) {
    const lines = await mapLimited(some, parallel, (did) =>
      countDatasetReplicas(store.table, did, { fleet, now, deep: false }),
    );
    yield* lines.flat();
  }
}

/** The lines of a dataset; of anything else none. */
export async function countDatasetReplicas(
  table: Table,
  dataset: Did,
  counting: Counting,
): Promise<DatasetReplicaLine[]> {
  if (dataset.type !== 'DATASET') return [];
  const [own, archived] = [new Tally(counting), new Tally(counting)];
  const [whole, locks] = await Promise.all([
    countFiles(table, dataset, { own, archived: counting.deep ? archived : undefined }),
    counting.deep ? [] : listDatasetLocks(table, dataset),
  ]);
  for (const lock of locks) own.expect(lock);
  return [...own.lines(whole), ...archived.lines(whole)];
}

interface Tallies {
  readonly own: Tally;
  /** Undefined: what lies in archives is not counted. */
  readonly archived: Tally | undefined;
}

async function countFiles(table: Table, dataset: Did, { own, archived }: Tallies): Promise<Whole> {
  let length = 0;
  let bytes: Integer = 0;
  for await (const edges of splitIntoChunks(listChildren(table, dataset), filesPerStep)) {
    length += edges.length;
    for (const edge of edges) bytes = addIntegers(bytes, edge.bytes ?? 0);
    const files = await getDids(
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

interface Share {
  readonly rse: Rse;
  files: number;
  bytes: Integer;
  createdAt: number;
  updatedAt: number;
}

interface Whole {
  readonly dataset: DidKey;
  readonly length: number;
  readonly bytes: Integer;
}

/** Adds up what each RSE has of a dataset. */
class Tally {
  readonly #counting: Counting;
  readonly #shares = new Map<string, Share>();

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  /** Counts a file once on every RSE where one of its holders, itself or archives, is available. */
  count(file: Did, holders: readonly Did[]): void {
    const counted = new Set<string>();
    for (const holder of holders) {
      for (const [rseId, replica] of holder.replicas) {
        const rse = this.#rseOf(rseId, replica);
        if (rse === undefined) continue;
        this.#add(rse, counted.has(rseId) ? undefined : (file.bytes ?? 0), timesOf(holder, replica));
        counted.add(rseId);
      }
    }
  }

  /** Lists an RSE that a rule keeps the dataset on, also with nothing. */
  expect({ rseId, createdAt }: DatasetLock): void {
    const rse = this.#find(rseId);
    if (rse === undefined || this.#shares.has(rseId)) return;
    this.#shares.set(rseId, { rse, files: 0, bytes: 0, createdAt, updatedAt: createdAt });
  }

  lines({ dataset: { scope, name }, length, bytes }: Whole): DatasetReplicaLine[] {
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
        accessed_at: null,
      }));
  }

  #rseOf(rseId: string, replica: Replica): Rse | undefined {
    return stateOf(replica, this.#counting.now) === 'A' ? this.#find(rseId) : undefined;
  }

  #find(rseId: string): Rse | undefined {
    const { fleet, rseId: only } = this.#counting;
    if (only !== undefined && only !== rseId) return undefined;
    const rse = fleet.byId.get(rseId);
    return rse?.deletedAt === undefined ? rse : undefined;
  }

  /** @param bytes Of a file that is not counted yet. */
  #add(rse: Rse, bytes: Integer | undefined, { createdAt, updatedAt }: Pick<Share, 'createdAt' | 'updatedAt'>): void {
    const share = this.#shares.get(rse.id) ?? { rse, files: 0, bytes: 0, createdAt, updatedAt };
    this.#shares.set(rse.id, share);
    if (bytes !== undefined) {
      share.files += 1;
      share.bytes = addIntegers(share.bytes, bytes);
    }
    share.createdAt = Math.min(share.createdAt, createdAt);
    share.updatedAt = Math.max(share.updatedAt, updatedAt);
  }
}

function timesOf(file: Did, replica: Replica): Pick<Share, 'createdAt' | 'updatedAt'> {
  const createdAt = replica.createdAt ?? file.createdAt;
  return { createdAt, updatedAt: replica.updatedAt ?? createdAt };
}
