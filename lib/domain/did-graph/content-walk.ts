import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getEdges, listChildren, listHistory } from '../../store/entities/edge.ts';
import type { Insert } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { Walked, type WalkedRecord } from './walked.ts';

/** How far the content of a collection was gone through. */
export interface Place {
  readonly did: DidKey;
  /** The last child that was gone through; absent: none. */
  readonly after?: DidKey;
  /** The last former child that was gone through: the present ones are over. */
  readonly past?: { readonly deletedAt: number; readonly child: DidKey };
}

/** How far the content of a DID was gone through, as a task keeps it. */
export interface ContentPosition {
  /** Containers from the top down. */
  readonly path: readonly Place[];
  /** The dataset at hand. */
  readonly dataset?: Place;
  /** What was gone through; absent: nothing but what is on the path. */
  readonly walked?: WalkedRecord;
}

/** A child of a collection. */
export interface Child {
  readonly child: DidKey;
  readonly type: DidType;
  /** What comes after it in the collection. */
  readonly place: Place;
}

/** Children of a container that are read at once. */
const pageSize = 200;

/** Pages of children that are read for one step. */
const pagesPerStep = 300;

/** The position before the content of a collection. */
export function startOf({ scope, name, type }: DidKey & { readonly type: DidType }): ContentPosition {
  const place = { did: { scope, name } };
  return type === 'DATASET' ? { path: [], dataset: place } : { path: [place] };
}

/** The position that a task has kept; undefined: none that can be gone on from. */
export function readPosition(kept: unknown): ContentPosition | undefined {
  return (kept as Partial<ContentPosition> | undefined)?.path === undefined ? undefined : (kept as ContentPosition);
}

/** How a walk goes. */
export interface WalkOptions {
  /** Whether a collection is gone into; it is asked before the content is read. */
  readonly enters?: (did: DidKey) => Promise<boolean>;
  /** Goes to former children, too, that were detached since, in milliseconds since 1970. */
  readonly since?: number;
}

/**
 * Goes to the datasets below a collection, through all levels, each once, however many ways lead to it; from wherever it
 * was left. A container is gone through when all of its content is: what was begun and is detached meanwhile is gone
 * through again where another way leads to it.
 */
export class ContentWalk {
  readonly #table: Table;
  readonly #options: WalkOptions;
  readonly #walked: Walked;
  readonly #path: Place[];
  #dataset: Place | undefined;
  #isResumed = true;
  #pages = 0;
  /** Children of containers that were read ahead, by the container. */
  readonly #ahead = new Map<string, Child[]>();

  /** @param table Shows what is committed when it is read. */
  constructor(table: Table, { path, dataset, walked }: ContentPosition, options: WalkOptions = {}) {
    this.#table = table;
    this.#options = options;
    this.#walked = new Walked(table, walked);
    this.#path = [...path];
    this.#dataset = dataset;
  }

  /** Where it stands. */
  position(): ContentPosition {
    const walked = this.#walked.record();
    return {
      path: [...this.#path],
      ...(this.#dataset === undefined ? {} : { dataset: this.#dataset }),
      ...(walked === undefined ? {} : { walked }),
    };
  }

  /** What is to be written together with the next position. */
  flush(): Insert[] {
    return this.#walked.flush();
  }

  /** The collections from the top down to the dataset at hand. */
  way(): DidKey[] {
    return [...this.#path, ...(this.#dataset === undefined ? [] : [this.#dataset])].map(({ did }) => did);
  }

  /** How far the dataset at hand was gone through. */
  get place(): Place | undefined {
    return this.#dataset;
  }

  /** Whether there is nothing left. */
  get isOver(): boolean {
    return this.#dataset === undefined && this.#path.length === 0;
  }

  /** The dataset at hand, or the next one; undefined: there are no more, or the search for it takes another step. */
  async next(): Promise<DidKey | undefined> {
    if (this.#isResumed) await this.#resume();
    while (!this.isOver && this.#dataset === undefined && this.#pages < pagesPerStep) await this.#advance();
    return this.#dataset?.did;
  }

  /** Begins another step. */
  begin(): void {
    this.#pages = 0;
  }

  /** Says how far the dataset at hand was gone through. */
  moveTo(place: Place): void {
    this.#dataset = place;
  }

  /** Goes back to the first file of the dataset at hand. */
  rewind(): void {
    if (this.#dataset !== undefined) this.#dataset = { did: this.#dataset.did };
  }

  /** Is done with the dataset at hand. */
  leave(): void {
    // What is itself the top is nobody's child.
    if (this.#dataset !== undefined && this.#path.length > 0) this.#walked.add(this.#dataset.did);
    this.#dataset = undefined;
  }

  /** What was entered may have been detached since: then nothing below it is gone through any more. */
  async #resume(): Promise<void> {
    this.#isResumed = false;
    // Former content is gone through, too.
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

  /** Goes one child further in the container at hand. */
  async #advance(): Promise<void> {
    const here = this.#path.at(-1);
    if (here === undefined) return;
    const next = (await this.#children(here)).shift();
    if (next === undefined) {
      this.#ahead.delete(formatDid(here.did));
      this.#path.pop();
      this.#walked.add(here.did);
      return;
    }
    const { child, type, place } = next;
    this.#path[this.#path.length - 1] = place;
    if (type === 'FILE' || (await this.#walked.has(child))) return;
    if (type === 'DATASET') this.#dataset = { did: child };
    else if (this.#path.every(({ did }) => formatDid(did) !== formatDid(child))) this.#path.push({ did: child });
  }

  async #children(place: Place): Promise<Child[]> {
    const key = formatDid(place.did);
    const known = this.#ahead.get(key);
    if (known !== undefined && known.length > 0) return known;
    this.#pages += 1;
    const isEntered = (await this.#options.enters?.(place.did)) ?? true;
    const found = isEntered ? await readChildren(this.#table, place, pageSize, this.#options.since) : [];
    this.#ahead.set(key, found);
    return found;
  }
}

/**
 * The children of a collection from a place on, `most` at most.
 *
 * @param since Then those follow that were detached since.
 */
export async function readChildren(table: Table, from: Place, most: number, since?: number): Promise<Child[]> {
  const { did, after, past } = from;
  const found: Child[] = [];
  if (past === undefined) {
    for await (const { child, type } of listChildren(table, did, { after, pageSize: most })) {
      found.push({ child, type, place: { did, after: child } });
      if (found.length === most) return found;
    }
  }
  if (since === undefined) return found;
  const start = past ?? { deletedAt: Math.max(since, 0), child: did };
  for await (const { child, type, deletedAt } of listHistory(table, did, { after: start, pageSize: most })) {
    found.push({ child, type, place: { did, past: { deletedAt, child } } });
    if (found.length === most) return found;
  }
  return found;
}
