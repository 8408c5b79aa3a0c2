import type { DidKey } from '../../contract/schemas/did.ts';
import type { DatasetReplicaLine } from '../../contract/schemas/replica.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { listLocksOnRse } from '../../store/entities/dataset-lock.ts';
import { getDids } from '../../store/entities/did.ts';
import { type Edge, listParentShard } from '../../store/entities/edge.ts';
import { isContentEdge } from '../../store/entities/parents.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { listRseContent, type Rse } from '../../store/entities/rse.ts';
import { shards } from '../../store/values/shards.ts';
import { countDatasetReplicas } from './list-dataset-replicas.ts';

const maxParallelDatasets = 8;

/** Edges of other files to skip before a new query begins at the next file. */
const maxSkippedEdges = 200;

/**
 * The datasets with an available file on an RSE or a dataset lock there, each once, unordered, and how much of each the
 * RSE has (spec/replication.md 1.6).
 *
 * Costs the content of the RSE and the attachments of those files, a quarter of a unit per ten of either, and a unit
 * per file of each dataset found. Keeps the names of the datasets in memory.
 *
 * @throws RSENotFound (404).
 */
export async function* listDatasetsPerRse({ store, now }: Context, name: string): AsyncGenerator<DatasetReplicaLine> {
  const { table } = store;
  const rse = await requireCachedLiveRse(table, name);
  const fleet = await getFleet(table);
  for await (const chunk of splitIntoChunks(listDatasetsOn(table, rse), maxParallelDatasets)) {
    const datasets = await getDids(table, chunk);
    const lines = await mapLimited(datasets, maxParallelDatasets, (dataset) =>
      countDatasetReplicas(table, dataset, { fleet, now, deep: false, rseId: rse.id }),
    );
    yield* lines.flat();
  }
}

async function* listDatasetsOn(table: Table, rse: Rse): AsyncGenerator<DidKey> {
  const seen = new Set<string>();
  for (const shard of shards) {
    let cursor: ParentCursor | undefined;
    for await (const file of listRseContent(table, rse.id, shard)) {
      cursor = cursor?.scope === file.scope ? cursor : new ParentCursor(table, file.scope, shard);
      const edges = await cursor.parentsOf(file.name);
      for (const { parent } of edges.filter(isContentEdge)) {
        if (seen.has(formatDid(parent))) continue;
        seen.add(formatDid(parent));
        yield parent;
      }
    }
  }
  for await (const { did } of listLocksOnRse(table, rse.id)) {
    if (seen.has(formatDid(did))) continue;
    seen.add(formatDid(did));
    yield did;
  }
}

/**
 * Merge join: iterates over the edges of one shard of a scope in parallel to a list of its files, both sorted by name.
 */
class ParentCursor {
  readonly scope: string;
  readonly #table: Table;
  readonly #shard: number;
  #edges: AsyncGenerator<Edge> | undefined;
  #next: Edge | undefined;

  constructor(table: Table, scope: string, shard: number) {
    this.#table = table;
    this.scope = scope;
    this.#shard = shard;
  }

  /** The edges of a file. Call it in the order of the names. */
  async parentsOf(name: string): Promise<Edge[]> {
    let skipped = 0;
    if (this.#edges === undefined) await this.#open(name);
    while (this.#next !== undefined && this.#next.child.name < name) {
      skipped += 1;
      if (skipped > maxSkippedEdges) await this.#open(name);
      else await this.#advance();
    }
    const found: Edge[] = [];
    for (; this.#next?.child.name === name; await this.#advance()) found.push(this.#next);
    return found;
  }

  async #open(name: string): Promise<void> {
    await this.#edges?.return(undefined);
    this.#edges = listParentShard(this.#table, this.scope, this.#shard, { from: name, pageSize: maxSkippedEdges });
    await this.#advance();
  }

  async #advance(): Promise<void> {
    const next = await this.#edges?.next();
    this.#next = next?.done === false ? next.value : undefined;
  }
}
