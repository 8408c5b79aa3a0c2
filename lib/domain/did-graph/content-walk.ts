import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getEdges, listChildren, listHistory } from '../../store/entities/edge.ts';
import { listFormerChildren } from '../../store/entities/former-child.ts';
import type { Insert } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { VisitedCollections, type VisitedRecord } from './visited-collections.ts';

/** How far the content of a collection was visited. */
export interface ContentPlace {
  readonly did: DidKey;
  /** The last visited child; absent: none. */
  readonly after?: DidKey;
  /** The last visited former child; set once all present children were visited. */
  readonly past?: { readonly deletedAt: number; readonly child: DidKey };
  /** The last visited child of a container that was deleted; set once all others were visited. */
  readonly former?: DidKey;
}

/** The position of a walk below a DID, as a task stores it. */
export interface ContentPosition {
  /** The containers from the root down. */
  readonly path: readonly ContentPlace[];
  /** The current dataset. */
  readonly dataset?: ContentPlace;
  /** The visited collections; absent: none. */
  readonly walked?: VisitedRecord;
}

/** A child of a collection. */
export interface Child {
  readonly child: DidKey;
  readonly type: DidType;
  /** The place after this child. */
  readonly place: ContentPlace;
}

/** The time within which a detachment is followed, since records stay in the stream for a day. */
export const detachWindowMs = 86_400_000;

/** Children of a container per page. */
const pageSize = 200;

/** The most pages of children read in one step. */
const pagesPerStep = 300;

/** The position at the start of the content of a collection. */
export function getStartPosition({ scope, name, type }: DidKey & { readonly type: DidType }): ContentPosition {
  const place = { did: { scope, name } };
  return type === 'DATASET' ? { path: [], dataset: place } : { path: [place] };
}

/** Reads the position that a task has stored; undefined: it has none. */
export function readContentPosition(kept: unknown): ContentPosition | undefined {
  return (kept as Partial<ContentPosition> | undefined)?.path === undefined ? undefined : (kept as ContentPosition);
}

/** Options of a walk. */
export interface WalkOptions {
  /** Whether a collection is entered; called before its content is read. */
  readonly enters?: (did: DidKey) => Promise<boolean>;
  /** Whether a child of a container is visited. */
  readonly visits?: (child: Child) => Promise<boolean>;
  /**
   * Also visits former children: those detached since this time, in milliseconds since 1970, and those of containers
   * that were deleted in the last days.
   */
  readonly since?: number;
}

/**
 * Visits the datasets below a collection, through all levels, each once even if several paths lead to it. It resumes
 * from a stored position. A container counts as visited when all of its content was visited; if it is detached before
 * that, it is visited again on another path.
 */
export class ContentWalk {
  readonly #table: Table;
  readonly #options: WalkOptions;
  readonly #walked: VisitedCollections;
  readonly #path: ContentPlace[];
  #dataset: ContentPlace | undefined;
  #isResumed = true;
  #pages = 0;
  /** Children of containers that were read ahead, by the container. */
  readonly #ahead = new Map<string, Child[]>();

  /** @param table A view of the latest committed state. */
  constructor(table: Table, { path, dataset, walked }: ContentPosition, options: WalkOptions = {}) {
    this.#table = table;
    this.#options = options;
    this.#walked = new VisitedCollections(table, walked);
    this.#path = [...path];
    this.#dataset = dataset;
  }

  /** The position from which a later walk resumes. */
  position(): ContentPosition {
    const walked = this.#walked.record();
    return {
      path: [...this.#path],
      ...(this.#dataset === undefined ? {} : { dataset: this.#dataset }),
      ...(walked === undefined ? {} : { walked }),
    };
  }

  /** The writes that must be committed together with the next position. */
  flush(): Insert[] {
    return this.#walked.flush();
  }

  /** The collections from the root down to the current dataset. */
  way(): DidKey[] {
    return [...this.#path, ...(this.#dataset === undefined ? [] : [this.#dataset])].map(({ did }) => did);
  }

  /** How far the current dataset was visited. */
  get place(): ContentPlace | undefined {
    return this.#dataset;
  }

  /** Whether all datasets were visited. */
  get isOver(): boolean {
    return this.#dataset === undefined && this.#path.length === 0;
  }

  /**
   * The current dataset, or else the next one. Undefined: all were visited, or the search for the next one exceeds one
   * step.
   */
  async next(): Promise<DidKey | undefined> {
    if (this.#isResumed) await this.#resume();
    while (!this.isOver && this.#dataset === undefined && this.#pages < pagesPerStep) await this.#advance();
    return this.#dataset?.did;
  }

  /** Starts another step: resets the limit of pages. */
  begin(): void {
    this.#pages = 0;
  }

  /** Records how far the current dataset was visited. */
  moveTo(place: ContentPlace): void {
    this.#dataset = place;
  }

  /** Goes back to the first file of the current dataset. */
  rewind(): void {
    if (this.#dataset !== undefined) this.#dataset = { did: this.#dataset.did };
  }

  /** Finishes the current dataset. */
  leave(): void {
    // The root is never met again as a child.
    if (this.#dataset !== undefined && this.#path.length > 0)
      this.#walked.add({ ...this.#dataset.did, type: 'DATASET' });
    this.#dataset = undefined;
  }

  /** Leaves the collections of the stored path that were detached meanwhile. */
  async #resume(): Promise<void> {
    this.#isResumed = false;
    // Detached children are visited, too.
    if (this.#options.since !== undefined) return;
    const way = this.way();
    for (const { did } of this.#path) await this.#options.enters?.(did);
    const pairs = way.slice(1).map((child, index) => ({ parent: way[index] as DidKey, child }));
    const attached = new Set((await getEdges(this.#table, pairs)).map(({ child }) => formatDid(child)));
    const gone = way.findIndex((did, index) => index > 0 && !attached.has(formatDid(did)));
    if (gone < 0) return;
    this.#dataset = undefined;
    this.#path.splice(gone);
  }

  /** Moves to the next child of the current container. */
  async #advance(): Promise<void> {
    const here = this.#path.at(-1);
    if (here === undefined) return;
    const next = (await this.#children(here)).shift();
    if (next === undefined) {
      this.#ahead.delete(formatDid(here.did));
      this.#path.pop();
      this.#walked.add({ ...here.did, type: 'CONTAINER' });
      return;
    }
    const { child, type, place } = next;
    this.#path[this.#path.length - 1] = place;
    if (type === 'FILE' || (await this.#walked.has({ ...child, type }))) return;
    if ((await this.#options.visits?.(next)) === false) return;
    if (type === 'DATASET') this.#dataset = { did: child };
    else if (this.#path.every(({ did }) => formatDid(did) !== formatDid(child))) this.#path.push({ did: child });
  }

  async #children(place: ContentPlace): Promise<Child[]> {
    const key = formatDid(place.did);
    const known = this.#ahead.get(key);
    if (known !== undefined && known.length > 0) return known;
    this.#pages += 1;
    const isEntered = (await this.#options.enters?.(place.did)) ?? true;
    const found = isEntered ? await readContainer(this.#table, place, pageSize, this.#options.since) : [];
    this.#ahead.set(key, found);
    return found;
  }
}

/** Whether a child is attached to its parent no more. */
export function isFormer({ place: { past, former } }: Child): boolean {
  return past !== undefined || former !== undefined;
}

/**
 * Reads at most `limit` children of a container after a place.
 *
 * @param since Then the children detached since this time follow, and those of deleted containers of its name.
 */
export async function readContainer(table: Table, from: ContentPlace, limit: number, since?: number): Promise<Child[]> {
  const { did, former: after } = from;
  const found = after === undefined ? await readChildren(table, from, limit, since) : [];
  if (since === undefined || found.length === limit) return found;
  for await (const { child, type } of listFormerChildren(table, did, { after, pageSize: limit })) {
    found.push({ child, type, place: { did, former: child } });
    if (found.length === limit) break;
  }
  return found;
}

/**
 * Reads at most `limit` children of a collection after a place.
 *
 * @param since Then the children detached since this time follow.
 */
export async function readChildren(table: Table, from: ContentPlace, limit: number, since?: number): Promise<Child[]> {
  const { did, after, past } = from;
  const found: Child[] = [];
  if (past === undefined) {
    for await (const { child, type } of listChildren(table, did, { after, pageSize: limit })) {
      found.push({ child, type, place: { did, after: child } });
      if (found.length === limit) return found;
    }
  }
  if (since === undefined) return found;
  const start = past ?? { deletedAt: Math.max(since, 0), child: did };
  for await (const { child, type, deletedAt } of listHistory(table, did, { after: start, pageSize: limit })) {
    found.push({ child, type, place: { did, past: { deletedAt, child } } });
    if (found.length === limit) return found;
  }
  return found;
}
