import type { DidKey } from '../../contract/schemas/did.ts';
import type { DatasetLockLine, LockedDid } from '../../contract/schemas/lock.ts';
import { listDatasetsBelow } from '../../domain/did-graph/datasets-below.ts';
import { describeLocks } from '../../domain/locks/describe-locks.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type DatasetLock, getDatasetLocks } from '../../store/entities/dataset-lock.ts';
import { getDids } from '../../store/entities/did.ts';

/** Datasets whose locks are read in parallel. */
const datasetsPerRead = 25;

/**
 * Lists the locks on datasets and on the datasets below containers, each once (spec/replication.md 4). Unknown DIDs
 * have none.
 *
 * @throws ValueError (400) for a file.
 */
export async function listDatasetLocksBulk(
  { store: { table } }: Context,
  dids: readonly LockedDid[],
): Promise<AsyncIterable<DatasetLockLine>> {
  const wanted = dids.filter(isValidDid);
  const unknown = wanted.filter(({ type }) => type === undefined || type === null);
  const found = new Map((await getDids(table, unknown)).map((did) => [formatDid(did), did.type]));
  const collections = wanted.flatMap(({ scope, name, type }) => {
    const word = type ?? found.get(formatDid({ scope, name }))?.toLowerCase();
    if (word === 'file') fail('ValueError', 'Can only get locks for datasets and containers.');
    return word === undefined ? [] : [{ scope, name, isContainer: word === 'container' }];
  });
  return listLocksOf(table, collections);
}

async function* listLocksOf(
  table: Table,
  collections: readonly (DidKey & { readonly isContainer: boolean })[],
): AsyncGenerator<DatasetLockLine> {
  for await (const datasets of splitIntoChunks(listDatasets(table, collections), datasetsPerRead)) {
    const locks: DatasetLock[][] = await Promise.all(datasets.map((dataset) => getDatasetLocks(table, dataset)));
    for (const { line } of await describeLocks(table, locks.flat())) yield line;
  }
}

/** Every dataset once. */
async function* listDatasets(
  table: Table,
  collections: readonly (DidKey & { readonly isContainer: boolean })[],
): AsyncGenerator<DidKey> {
  const seen = new Set<string>();
  for (const { isContainer, ...did } of collections) {
    for await (const dataset of isContainer ? listDatasetsBelow(table, did) : [did]) {
      const key = formatDid(dataset);
      if (seen.has(key)) continue;
      seen.add(key);
      yield dataset;
    }
  }
}
