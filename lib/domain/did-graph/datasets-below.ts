import type { DidKey } from '../../contract/schemas/did.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type CollectionDid, getCollections } from '../../store/entities/did.ts';
import { listChildren } from '../../store/entities/edge.ts';
import { formatDid } from '../values/format-did.ts';

/** The most containers whose content is read in parallel. */
const maxParallelReads = 8;

/** Lists the distinct datasets below a container, through all levels. */
export async function* listDatasetsBelow(table: Table, container: DidKey): AsyncGenerator<CollectionDid> {
  for await (const datasets of listDatasetKeysBelow(table, [container], maxParallelReads)) {
    yield* await getCollections(table, datasets);
  }
}

/**
 * Lists the keys of all datasets below some containers, each once, level by level. It reads up to `maxParallel` containers
 * at the same time, and yields the datasets of these as one batch. It reads each container once, so it ends even if
 * containers form a circle.
 *
 * @param maxParallel Number of containers read at the same time; each takes 1 MB of memory.
 * @param known Collections, as `scope:name`, that it neither reads nor lists.
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
