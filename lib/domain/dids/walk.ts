import type { DidKey } from '../../contract/schemas/did.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, getEdges, listChildren } from '../../store/entities/edge.ts';
import type { Table } from '../../store/table.ts';
import { chunksOf } from '../chunks.ts';
import { type Page, type Position, sliceOf, wholeList } from '../paging/page.ts';
import { formatDid } from './format-did.ts';
import { abandonReading, beginReading, lookAhead, type Reading } from './look-ahead.ts';
import { inside, readPlace } from './positions.ts';

/**
 * All different datasets below a container, through any nesting. Level by level; what was seen is not entered again, so
 * a circle ends.
 */
export async function* datasetsBelow(table: Table, container: DidKey): AsyncGenerator<Did> {
  const seen = new Set([formatDid(container)]);
  let level: DidKey[] = [container];
  while (level.length > 0) {
    const containers: DidKey[] = [];
    for await (const parents of chunksOf(level, atOnce)) {
      const contents = await Promise.all(parents.map((parent) => Array.fromAsync(listChildren(table, parent))));
      const datasets: DidKey[] = [];
      for (const { child, type } of contents.flat()) {
        if (seen.has(formatDid(child))) continue;
        seen.add(formatDid(child));
        (type === 'DATASET' ? datasets : containers).push(child);
      }
      yield* await getDids(table, datasets);
    }
    level = containers;
  }
}

/** Collections whose content is read at the same time. */
const atOnce = 8;

/** An attachment with its depth below the DID where a walk began; its direct content is at 1. */
export interface Step {
  readonly edge: Edge;
  readonly level: number;
  readonly position: Position;
}

/** The content of a DID; that of a collection among it is being read already. */
type Content = AsyncGenerator<readonly [Edge, Reading<Edge> | undefined]>;

/** A DID on the way down, its place, and what of its content is still to come. */
interface Level {
  readonly key: string;
  readonly place: Position;
  readonly edges: Content;
}

/** Edges of a collection that are read before the walk has come to it. */
const ahead = 500;

/**
 * Everything below a DID, depth first, children in order of their names. A DID that can be reached twice comes twice; a
 * DID that is above itself is not entered again.
 *
 * A walk goes on where its page begins by the way down to the last row, at the price of a read for each DID that was
 * entered on it. Where one has been detached since, nothing below it is in the list any more, and the walk goes on beside
 * it.
 *
 * @param depth How many levels down.
 */
export async function* descend(
  table: Table,
  top: DidKey,
  { depth = Number.POSITIVE_INFINITY, page = wholeList }: { readonly depth?: number; readonly page?: Page } = {},
): AsyncGenerator<Step> {
  const contentOf = (edges: AsyncGenerator<Edge>, level: number): Content =>
    lookAhead(
      edges,
      page.limit === undefined ? atOnce : 1,
      ({ type, child }) => (type === 'FILE' || level >= depth ? undefined : begin(table, child, page)),
      abandonReading,
    );
  const path = (await wayDown(table, top, page)).map(({ did, place, after }, index): Level => {
    const edges = listChildren(table, did, sliceOf(page, after));
    return { key: formatDid(did), place, edges: contentOf(edges, index + 1) };
  });
  try {
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const next = await here.edges.next();
      if (next.done === true) {
        path.pop();
        continue;
      }
      const [edge, below] = next.value;
      const key = formatDid(edge.child);
      const level = path.length;
      const place = [...here.place, edge.child.scope, edge.child.name];
      const enters = below !== undefined && path.every((above) => above.key !== key);
      yield { edge, level, position: enters ? inside(place) : place };
      if (enters) path.push({ key, place, edges: contentOf(await below, level + 1) });
    }
  } finally {
    await Promise.all(path.map(({ edges }) => edges.return(undefined)));
  }
}

function begin(table: Table, collection: DidKey, { limit }: Page): Reading<Edge> {
  return beginReading(listChildren(table, collection, { pageSize: limit === undefined ? ahead : limit + 1 }));
}

/** The DIDs whose content a page goes on with, from the top, each with the child to go on after. */
async function wayDown(table: Table, top: DidKey, { after = inside([]) }: Page) {
  const { path, isInside } = readPlace(after);
  const entered = isInside ? path : path.slice(0, -1);
  const pairs = entered.map((child, index) => ({ parent: path[index - 1] ?? top, child }));
  const attached = new Set((await getEdges(table, pairs)).map(pairKey));
  const gone = pairs.findIndex((pair) => !attached.has(pairKey(pair)));
  const way = gone < 0 ? entered : entered.slice(0, gone);
  return [top, ...way].map((did, index) => ({ did, place: after.slice(0, 2 * index), after: path[index] }));
}

const pairKey = ({ parent, child }: Pick<Edge, 'parent' | 'child'>) => `${formatDid(parent)} ${formatDid(child)}`;
