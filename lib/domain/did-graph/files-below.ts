import { chunksOf } from '../../chunks.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import { chainRows } from '../../rows/chain-rows.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import { openLater } from '../../rows/open-later.ts';
import { flattenPages } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Did } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import { byScopeAndName, didSortKey } from '../values/did-order.ts';
import { formatDid } from '../values/format-did.ts';
import { listDatasetKeysBelow } from './datasets-below.ts';
import { descend } from './descend.ts';

/** The most collections read in parallel; each holds a page of 1 MB in memory. */
const maxParallelReads = 4;

/** Up to this many attachments are sorted in memory; more are read a second time, in order. */
const maxFilesInMemory = 5_000;

/** Attachments in memory while many datasets are merged: in total, and at least of each. */
const bufferedEdges = { allStreams: 20_000, least: 100 };

/** The most streams merged at a time. More are merged in several levels, so that a row costs few comparisons. */
const maxStreamsPerMerge = 8;

/**
 * Lists the files below collections through all levels, each once, by scope and name. Memory does not grow with their
 * number.
 *
 * The content of a dataset is stored in the order of names, so a first pass finds its scopes. If there are few files,
 * that suffices; otherwise each dataset is read again for each of its scopes, merged with the other datasets of the
 * scope.
 */
export function filesBelow(table: Table, collections: readonly Did[]): ReadyRows<DidKey> {
  return openLater(async () => {
    const { files, scopes } = await findScopes(table, await listDatasets(table, collections));
    return files === undefined ? chainRows(listByScope(table, scopes)) : skipDuplicates(files.toSorted(byScopeAndName));
  });
}

/** The files of each scope, of one scope after the other. */
function* listByScope(table: Table, scopes: Survey['scopes']): Generator<ReadyRows<DidKey>> {
  for (const [scope, datasetsOfScope] of [...scopes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const pageSize = Math.max(bufferedEdges.least, Math.floor(bufferedEdges.allStreams / datasetsOfScope.length));
    const streams = datasetsOfScope.map((dataset) =>
      filesOfScope(
        datasetsOfScope.length === 1
          ? listChildren(table, dataset)
          : flattenPages(listInPages(table, dataset, pageSize)),
        scope,
      ),
    );
    yield skipDuplicates(mergeAll(streams));
  }
}

/**
 * Lists the files among the first attachments below collections, each once, by scope and name. Reads no more than
 * `limit` attachments.
 *
 * @param onMore Called if there are more.
 */
export async function* firstFilesBelow(
  table: Table,
  collections: readonly Did[],
  limit: number,
  onMore: () => void,
): AsyncGenerator<DidKey> {
  const files: DidKey[] = [];
  let left = limit;
  for (const collection of collections) {
    for await (const run of descend(table, collection, { page: { limit: left } })) {
      for (const { edge } of run.slice(0, left)) if (edge.type === 'FILE') files.push(edge.child);
      if (run.length > left) {
        onMore();
        left = 0;
        break;
      }
      left -= run.length;
    }
  }
  yield* skipDuplicates(files.toSorted(byScopeAndName));
}

/** All distinct datasets among collections and below them. */
async function listDatasets(table: Table, collections: readonly Did[]): Promise<DidKey[]> {
  const datasets: DidKey[] = collections.filter(({ type }) => type === 'DATASET');
  const containers = collections.filter(({ type }) => type === 'CONTAINER');
  const batches = listDatasetKeysBelow(table, containers, maxParallelReads, collections.map(formatDid));
  for await (const batch of batches) datasets.push(...batch);
  return datasets;
}

interface Survey {
  /** The datasets that have files of a scope, by scope. */
  readonly scopes: ReadonlyMap<string, readonly DidKey[]>;
  /** All files, once for each attachment; undefined: they are too many. */
  readonly files: DidKey[] | undefined;
}

async function findScopes(table: Table, datasets: readonly DidKey[]): Promise<Survey> {
  const scopes = new Map<string, DidKey[]>();
  let files: DidKey[] | undefined = [];
  await mapLimited(datasets, maxParallelReads, async (dataset) => {
    for await (const { child } of listChildren(table, dataset)) {
      const datasetsOfScope = scopes.get(child.scope) ?? [];
      if (datasetsOfScope.at(-1) !== dataset && !datasetsOfScope.includes(dataset))
        scopes.set(child.scope, [...datasetsOfScope, dataset]);
      files?.push(child);
      if (files !== undefined && files.length > maxFilesInMemory) files = undefined;
    }
  });
  return { scopes, files };
}

function filesOfScope(edges: AsyncIterable<Edge>, scope: string): ReadyRows<DidKey> {
  return mapRows(edges, ({ child }) => (child.scope === scope ? child : undefined));
}

/** The content of a dataset in pages of a fixed size. */
async function* listInPages(table: Table, dataset: DidKey, pageSize: number): AsyncGenerator<readonly Edge[]> {
  let after: DidKey | undefined;
  for (let edgesOnPage = pageSize; edgesOnPage === pageSize;) {
    const page = await Array.fromAsync(
      mapRows(listChildren(table, dataset, { after, pageSize }), (edge) => edge, pageSize),
    );
    yield page;
    edgesOnPage = page.length;
    after = page.at(-1)?.child;
  }
}

function mergeAll(streams: readonly AsyncIterable<DidKey>[]): AsyncIterable<DidKey> {
  if (streams.length <= maxStreamsPerMerge) return mergeSorted(streams, didSortKey);
  const share = Math.ceil(streams.length / maxStreamsPerMerge);
  return mergeSorted(
    chunksOf(streams, share).map((group) => mergeAll(group)),
    didSortKey,
  );
}

function skipDuplicates(files: AsyncIterable<DidKey> | Iterable<DidKey>): ReadyRows<DidKey> {
  let last: string | undefined;
  return mapRows(files, (file) => {
    const place = didSortKey(file);
    if (place === last) return undefined;
    last = place;
    return file;
  });
}
