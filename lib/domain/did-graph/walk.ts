import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, getEdges, listChildren, listParents } from '../../store/entities/edge.ts';
import { type Page, type Position, sliceOf, wholeList } from '../paging/page.ts';
import { chunksOf } from '../values/chunks.ts';
import { formatDid } from '../values/format-did.ts';
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
  readonly place: Position;
  readonly edges: Content;
}

/** Edges of a collection that are read before the walk has come to it. */
const ahead = 500;

/** How far a walk goes, and where it begins. */
interface WalkOptions {
  /** How many levels down. */
  readonly depth?: number;
  readonly page?: Page;
  /** Enters containers alone: no file is met. */
  readonly withoutFiles?: boolean;
}

/**
 * Every attachment below a DID, depth first, children in order of their names. A DID is entered once, where it is met
 * first: content that can be reached in many ways is not repeated, and a circle ends. So a walk costs no more than the
 * attachments below. (Rucio repeats it for each way, of which there may be two to the power of the levels.)
 *
 * A walk goes on where its page begins by the way down to the last row, at the price of a read for each DID that was
 * entered on it. Where one has been detached since, nothing below it is in the list any more, and the walk goes on beside
 * it. Whether a collection was entered on an earlier page costs a question for its parents; only where it has several,
 * the collections before the page are walked once more ({@link EarlierWalk}).
 */
export async function* descend(
  table: Table,
  top: DidKey,
  { depth = Number.POSITIVE_INFINITY, page = wholeList, withoutFiles = false }: WalkOptions = {},
): AsyncGenerator<Step> {
  const entered = new Set([formatDid(top)]);
  const earlier = new EarlierWalk(table, top, page.after);
  // A reading that was begun for one attachment of a DID serves whichever is met first.
  const begun = new Map<string, Reading<Edge>>();
  const begin = ({ type, child }: Edge, level: number) => {
    const key = formatDid(child);
    if (type === 'FILE' || (withoutFiles && type === 'DATASET') || level >= depth || entered.has(key)) return undefined;
    const reading = begun.get(key) ?? beginContent(table, child, page);
    begun.set(key, reading);
    return reading;
  };
  const contentOf = (edges: AsyncGenerator<Edge>, level: number): Content =>
    lookAhead(edges, page.limit === undefined ? atOnce : 1, (edge) => begin(edge, level), abandonReading);
  const way = await wayDown(table, top, page);
  const path = way.map(({ did, place, after }, index): Level => {
    entered.add(formatDid(did));
    return { place, edges: contentOf(listChildren(table, did, sliceOf(page, after)), index + 1) };
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
      const place = placeOf(here.place, edge.child);
      const enters = below !== undefined && !entered.has(key) && !(await earlier.hasEntered(edge.child));
      yield { edge, level, position: enters ? inside(place) : place };
      if (below === undefined) continue;
      begun.delete(key);
      if (enters) path.push({ place, edges: contentOf(await below, level + 1) });
      else if (!entered.has(key)) abandonReading(below);
      entered.add(key);
    }
  } finally {
    await Promise.all(path.map(({ edges }) => edges.return(undefined)));
  }
}

const placeOf = (place: Position, { scope, name }: DidKey): Position => [...place, scope, name];

function beginContent(table: Table, collection: DidKey, { limit }: Page): Reading<Edge> {
  return beginReading(listChildren(table, collection, { pageSize: limit === undefined ? ahead : limit + 1 }));
}

/** Tells which collections a walk has entered before the page that it goes on with. */
class EarlierWalk {
  readonly #table: Table;
  readonly #top: DidKey;
  readonly #end: Position | undefined;
  #entered: Promise<ReadonlySet<string>> | undefined;

  constructor(table: Table, top: DidKey, end: Position | undefined) {
    this.#table = table;
    this.#top = top;
    // At the start of the list nothing has been entered.
    this.#end = end !== undefined && readPlace(end).path.length > 0 ? end : undefined;
  }

  /** Whether the walk came by a collection that it meets on this page by another way. */
  async hasEntered(collection: DidKey): Promise<boolean> {
    if (this.#end === undefined || !(await this.#hasSeveralParents(collection))) return false;
    this.#entered ??= this.#walkTo(this.#end);
    return (await this.#entered).has(formatDid(collection));
  }

  async #hasSeveralParents(collection: DidKey): Promise<boolean> {
    let count = 0;
    for await (const _parent of listParents(this.#table, collection, { pageSize: 2 })) {
      count += 1;
      if (count === 2) return true;
    }
    return false;
  }

  async #walkTo(end: Position): Promise<ReadonlySet<string>> {
    const entered = new Set<string>();
    for await (const { edge, position } of descend(this.#table, this.#top, { withoutFiles: true })) {
      if (!isPassed(readPlace(position).path, end)) break;
      if (edge.type !== 'FILE') entered.add(formatDid(edge.child));
    }
    return entered;
  }
}

/** Whether a walk that has come to a position has been at a place. */
function isPassed(place: readonly DidKey[], position: Position): boolean {
  const { path, isInside } = readPlace(position);
  for (const [index, did] of place.entries()) {
    const other = path[index];
    if (other === undefined) return !isInside;
    if (formatDid(did) !== formatDid(other))
      return did.name === other.name ? did.scope < other.scope : did.name < other.name;
  }
  return true;
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
