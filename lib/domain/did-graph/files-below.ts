import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import { mergeSorted } from '../../store/batches/merge.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Did } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import { formatDid } from '../values/format-did.ts';
import { descend } from './walk.ts';

/** Collections that are read at once: each holds a page of 1 MB in memory. */
const parallel = 4;

/** Up to this many attachments are kept in memory and sorted; more are read once more, in order. */
const handful = 5_000;

/** Attachments in memory at once while many datasets are read in order, and the least of each. */
const buffer = { all: 20_000, least: 100 };

/** Streams that are merged in one step: the price of a row is the sum over the steps. */
const fanIn = 8;

/**
 * The files below collections through all levels, each once, by scope and name. Memory does not grow with their number.
 *
 * The content of a dataset lies in the order of names, so it is read once to find its scopes. Where there are few files
 * that is all; otherwise it is read once more for each scope that it has, all datasets of a scope at once.
 */
export async function* filesBelow(table: Table, collections: readonly Did[]): AsyncGenerator<DidKey> {
  const datasets = await datasetsIn(table, collections);
  const survey = await findScopes(table, datasets);
  if (survey.files !== undefined) {
    yield* distinct(survey.files.toSorted(byScopeAndName));
    return;
  }
  for (const [scope, holders] of [...survey.scopes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const pageSize = Math.max(buffer.least, Math.floor(buffer.all / holders.length));
    const streams = holders.map((dataset) =>
      filesOfScope(holders.length === 1 ? listChildren(table, dataset) : inPages(table, dataset, pageSize), scope),
    );
    yield* distinct(mergeAll(streams));
  }
}

/**
 * The files below collections, each once, by scope and name: those that are met first, where there are more attachments
 * than a number. Reads no more than that.
 *
 * @param onMore Called where there are more.
 */
export async function* firstFilesBelow(
  table: Table,
  collections: readonly Did[],
  most: number,
  onMore: () => void,
): AsyncGenerator<DidKey> {
  const files: DidKey[] = [];
  let left = most;
  for (const collection of collections) {
    for await (const { edge } of descend(table, collection, { page: { limit: left } })) {
      if (left === 0) {
        onMore();
        break;
      }
      left -= 1;
      if (edge.type === 'FILE') files.push(edge.child);
    }
  }
  yield* distinct(files.toSorted(byScopeAndName));
}

/** Where a file stands in the order of scopes and names: no scope and no name holds a character below a blank. */
export function placeOf({ scope, name }: DidKey): string {
  return `${scope}\u0000${name}`;
}

/** Sorts DIDs by scope and name. */
export function byScopeAndName(a: DidKey, b: DidKey): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

/** All different datasets among collections and below them; what was seen is not entered again. */
async function datasetsIn(table: Table, collections: readonly Did[]): Promise<DidKey[]> {
  const seen = new Set(collections.map(formatDid));
  const datasets: DidKey[] = collections.filter(({ type }) => type === 'DATASET');
  let level: readonly DidKey[] = collections.filter(({ type }) => type === 'CONTAINER');
  while (level.length > 0) {
    const children = await mapLimited(level, parallel, (container) => Array.fromAsync(listChildren(table, container)));
    const fresh = children.flat().filter(({ child, type }) => type !== 'FILE' && !seen.has(formatDid(child)));
    for (const { child } of fresh) seen.add(formatDid(child));
    const unique = [...new Map(fresh.map((edge) => [formatDid(edge.child), edge])).values()];
    datasets.push(...unique.filter(({ type }) => type === 'DATASET').map(({ child }) => child));
    level = unique.filter(({ type }) => type === 'CONTAINER').map(({ child }) => child);
  }
  return datasets;
}

interface Survey {
  /** The datasets that have files of a scope, by the scope. */
  readonly scopes: ReadonlyMap<string, readonly DidKey[]>;
  /** All files, as often as they are attached; undefined when they are too many. */
  readonly files: DidKey[] | undefined;
}

async function findScopes(table: Table, datasets: readonly DidKey[]): Promise<Survey> {
  const scopes = new Map<string, DidKey[]>();
  let files: DidKey[] | undefined = [];
  await mapLimited(datasets, parallel, async (dataset) => {
    for await (const { child } of listChildren(table, dataset)) {
      const holders = scopes.get(child.scope) ?? [];
      if (holders.at(-1) !== dataset && !holders.includes(dataset)) scopes.set(child.scope, [...holders, dataset]);
      files?.push(child);
      if (files !== undefined && files.length > handful) files = undefined;
    }
  });
  return { scopes, files };
}

async function* filesOfScope(edges: AsyncIterable<Edge>, scope: string): AsyncGenerator<DidKey> {
  for await (const { child } of edges) if (child.scope === scope) yield child;
}

/** The content of a dataset in pages that do not grow. */
async function* inPages(table: Table, dataset: DidKey, pageSize: number): AsyncGenerator<Edge> {
  let after: DidKey | undefined;
  for (let count = pageSize; count === pageSize;) {
    count = 0;
    for await (const edge of listChildren(table, dataset, { after, pageSize })) {
      yield edge;
      after = edge.child;
      count += 1;
      if (count === pageSize) break;
    }
  }
}

function mergeAll(streams: readonly AsyncIterable<DidKey>[]): AsyncIterable<DidKey> {
  if (streams.length <= fanIn) return mergeSorted(streams, placeOf);
  const share = Math.ceil(streams.length / fanIn);
  const groups: AsyncIterable<DidKey>[] = [];
  for (let start = 0; start < streams.length; start += share) {
    groups.push(mergeAll(streams.slice(start, start + share)));
  }
  return mergeSorted(groups, placeOf);
}

async function* distinct(files: AsyncIterable<DidKey> | Iterable<DidKey>): AsyncGenerator<DidKey> {
  let last: string | undefined;
  for await (const file of files) {
    const place = placeOf(file);
    if (place !== last) yield file;
    last = place;
  }
}
