import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Edge, getEdges, listChildren, listParentEdges } from '../../store/entities/edge.ts';
import { type Page, type Position, sliceOf, wholeList } from '../paging/page.ts';
import { formatDid } from '../values/format-did.ts';
import { abandonReading, beginReading, lookAheadInRuns, type Reading, type Started } from './look-ahead.ts';
import { positionInside, readPlace } from './positions.ts';

/** The most collections whose content is read in parallel. */
const maxParallelReads = 8;

/** An attachment with its depth below the root of a walk; the direct content is at level 1. */
export interface Step {
  readonly edge: Edge;
  readonly level: number;
  readonly position: Position;
}

/** The edges of a DID, each with the read of the child's own edges, which is under way already. */
type Content = AsyncGenerator<readonly Started<Edge, Reading<Edge>>[]>;

/** A DID on the path down, its place, and the rest of its content. */
interface Level {
  readonly place: Position;
  readonly edges: Content;
}

/** Edges of a collection that are read before the walk enters it. */
const edgesReadAhead = 500;

/** Depth and start of a walk. */
interface WalkOptions {
  /** How many levels down. */
  readonly depth?: number;
  readonly page?: Page;
  /** Enters containers only, so that no file is read. */
  readonly withoutFiles?: boolean;
}

/**
 * Lists every attachment below a DID, depth first, children by name. Each DID is entered once, where it is met first:
 * content with several paths is not repeated, and a circle ends. So a walk costs no more than the attachments below.
 * (Rucio repeats content for each path, of which there may be 2^levels.)
 *
 * A page resumes at the path of the last row, which costs a read for each DID entered on it. If one of these was
 * detached meanwhile, its content is no longer in the list, and the walk continues after it. To find out whether a
 * collection was entered on an earlier page costs a query for its parents; only if it has several, the collections
 * before the page are walked again ({@link EarlierWalk}).
 *
 * @returns Runs of attachments: those that are in memory together.
 */
export async function* descend(
  table: Table,
  root: DidKey,
  { depth = Number.POSITIVE_INFINITY, page = wholeList, withoutFiles = false }: WalkOptions = {},
): AsyncGenerator<readonly Step[]> {
  const entered = new Set([formatDid(root)]);
  const earlier = new EarlierWalk(table, root, page.after);
  // The read started for one attachment of a DID serves the attachment that is met first.
  const readings = new Map<string, Reading<Edge>>();
  const startReading = ({ type, child }: Edge, level: number) => {
    if (type === 'FILE' || (withoutFiles && type === 'DATASET') || level >= depth) return undefined;
    const key = formatDid(child);
    if (entered.has(key)) return undefined;
    const reading = readings.get(key) ?? startContent(table, child, page);
    readings.set(key, reading);
    return reading;
  };
  const contentOf = (edges: AsyncGenerator<Edge>, level: number): Content =>
    lookAheadInRuns(
      edges,
      page.limit === undefined ? maxParallelReads : 1,
      (edge) => startReading(edge, level),
      abandonReading,
    );
  const pathDown = await readPathDown(table, root, page);
  const path = pathDown.map(({ did, place, after }, index): Level => {
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
      const { place: above } = here;
      const level = path.length;
      const [[edge, below] = []] = next.value;
      if (edge === undefined || below === undefined) {
        yield next.value.map(([leaf]) => ({ edge: leaf, level, position: positionBelow(above, leaf.child) }));
        continue;
      }
      const place = positionBelow(above, edge.child);
      const key = formatDid(edge.child);
      const enters = !entered.has(key) && !(await earlier.hasEntered(edge.child));
      yield [{ edge, level, position: enters ? positionInside(place) : place }];
      readings.delete(key);
      if (enters) path.push({ place, edges: contentOf(await below, level + 1) });
      else if (!entered.has(key)) abandonReading(below);
      entered.add(key);
    }
  } finally {
    await Promise.all(path.map(({ edges }) => edges.return(undefined)));
  }
}

const positionBelow = (place: Position, { scope, name }: DidKey): Position => [...place, scope, name];

function startContent(table: Table, collection: DidKey, { limit }: Page): Reading<Edge> {
  return beginReading(listChildren(table, collection, { pageSize: limit === undefined ? edgesReadAhead : limit + 1 }));
}

/** Tells which collections a walk entered on earlier pages. */
class EarlierWalk {
  readonly #table: Table;
  readonly #root: DidKey;
  readonly #end: Position | undefined;
  #entered: Promise<ReadonlySet<string>> | undefined;

  constructor(table: Table, root: DidKey, end: Position | undefined) {
    this.#table = table;
    this.#root = root;
    // At the start of the list nothing was entered.
    this.#end = end !== undefined && readPlace(end).path.length > 0 ? end : undefined;
  }

  /** Whether a collection of this page was already entered, on another path. */
  async hasEntered(collection: DidKey): Promise<boolean> {
    if (this.#end === undefined || !(await this.#hasSeveralParents(collection))) return false;
    this.#entered ??= this.#walkTo(this.#end);
    return (await this.#entered).has(formatDid(collection));
  }

  async #hasSeveralParents(collection: DidKey): Promise<boolean> {
    let count = 0;
    for await (const _parent of listParentEdges(this.#table, collection, { pageSize: 2 })) {
      count += 1;
      if (count === 2) return true;
    }
    return false;
  }

  async #walkTo(end: Position): Promise<ReadonlySet<string>> {
    const entered = new Set<string>();
    for await (const run of descend(this.#table, this.#root, { withoutFiles: true })) {
      for (const { edge, position } of run) {
        if (!isPassed(readPlace(position).path, end)) return entered;
        if (edge.type !== 'FILE') entered.add(formatDid(edge.child));
      }
    }
    return entered;
  }
}

/** Whether a walk at a position has passed a place. */
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

/** The DIDs whose content the page continues, from the root down, each with the last child that was listed. */
async function readPathDown(table: Table, root: DidKey, { after = positionInside([]) }: Page) {
  const { path, isInside } = readPlace(after);
  const entered = isInside ? path : path.slice(0, -1);
  const pairs = entered.map((child, index) => ({ parent: path[index - 1] ?? root, child }));
  const attached = new Set((await getEdges(table, pairs)).map(pairKey));
  const gone = pairs.findIndex((pair) => !attached.has(pairKey(pair)));
  const pathDown = gone < 0 ? entered : entered.slice(0, gone);
  return [root, ...pathDown].map((did, index) => ({ did, place: after.slice(0, 2 * index), after: path[index] }));
}

const pairKey = ({ parent, child }: Pick<Edge, 'parent' | 'child'>) => `${formatDid(parent)} ${formatDid(child)}`;
