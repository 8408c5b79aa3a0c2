import type { DidKey } from '../../contract/schemas/did.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type CollectionDid, getCollections } from '../../store/entities/did.ts';
import { listChildren } from '../../store/entities/edge.ts';
import { formatDid } from '../values/format-did.ts';

/** Containers whose content is read in parallel. */
const maxParallelReads = 8;

/** Lists the distinct datasets below a container, through all levels. */
export async function* listDatasetsBelow(table: Table, container: DidKey): AsyncGenerator<CollectionDid> {
  for await (const datasets of listDatasetKeysBelow(table, [container], maxParallelReads)) {
    yield* await getCollections(table, datasets);
  }
}

/**
 * Lists the keys of the distinct datasets below containers, level by level, in batches: one for the containers that are
 * read in parallel. Each container is entered once, so a circle ends.
 *
 * @param maxParallel Containers read in parallel; each holds a page of 1 MB in memory.
 * @param known Names of collections that are neither entered nor listed.
 */
export async function* listDatasetKeysBelow(
  table: Table,
  containers: readonly DidKey[],
  maxParallel: number,
  known: Iterable<string> = [],
): AsyncGenerator<DidKey[]> {
  const seen = new Set([...known, ...containers.map(formatDid)]);
  let level = containers;
  while (level.length > 0) {
    const next: DidKey[] = [];
    for await (const parents of splitIntoChunks(level, maxParallel)) {
      const contents = await Promise.all(parents.map((parent) => Array.fromAsync(listChildren(table, parent))));
      const datasets: DidKey[] = [];
      for (const { child, type } of contents.flat()) {
        if (type === 'FILE' || seen.has(formatDid(child))) continue;
        seen.add(formatDid(child));
        (type === 'DATASET' ? datasets : next).push(child);
      }
      yield datasets;
    }
    level = next;
  }
}
