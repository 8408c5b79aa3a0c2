import type { DidKey } from '../../contract/schemas/did.ts';
import type { DatasetReplicaLine } from '../../contract/schemas/replica.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { mapLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { listLocksOnRse } from '../../store/entities/dataset-lock.ts';
import { getDids } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { countDatasetReplicas } from './list-dataset-replicas.ts';

const maxParallelDatasets = 8;

/**
 * The datasets with a lock on an RSE, by scope and name, and how much of each the RSE has (spec/replication.md 1.6).
 *
 * Costs a unit per file of each dataset.
 *
 * @throws RSENotFound (404).
 */
export async function* listDatasetsPerRse({ store, now }: Context, name: string): AsyncGenerator<DatasetReplicaLine> {
  const { table } = store;
  const rse = await requireCachedLiveRse(table, name);
  const fleet = await getFleet(table);
  for await (const chunk of splitIntoChunks(listLockedDatasets(table, rse), maxParallelDatasets)) {
    const datasets = await getDids(table, chunk);
    const lines = await mapLimited(datasets, maxParallelDatasets, (dataset) =>
      countDatasetReplicas(table, dataset, { fleet, now, deep: false, rseId: rse.id }),
    );
    yield* lines.flat();
  }
}

/** Each dataset once: the locks of several rules on it are neighbours. */
async function* listLockedDatasets(table: Table, rse: Rse): AsyncGenerator<DidKey> {
  let last: string | undefined;
  for await (const { did } of listLocksOnRse(table, rse.id)) {
    if (formatDid(did) !== last) yield did;
    last = formatDid(did);
  }
}
