import type { DidKey } from '../../../contract/schemas/did.ts';
import { type Did, getDid, getDids } from '../../../store/entities/did.ts';
import { getEdges, listChildren } from '../../../store/entities/edge.ts';
import type { Table } from '../../../store/table.ts';
import { formatDid } from '../../dids/format-did.ts';

/** How far the content of a collection was gone through. */
interface Place {
  readonly did: DidKey;
  /** The last child that was gone through; absent: none. */
  readonly after?: DidKey;
}

/** How far the content of a DID was gone through, as a task keeps it. */
export interface ContentPosition {
  /** Containers from the top down. */
  readonly path: readonly Place[];
  /** The dataset at hand. */
  readonly dataset?: Place;
}

/** Files of a dataset. */
interface FilePage {
  readonly files: readonly Did[];
  /** There are no more. */
  readonly isLast: boolean;
}

/** Children of a container that are read at once. */
const pageSize = 200;

/** Files of a dataset that are read at once, unless less is wanted. */
const mostFiles = 4_000;

/** The position before the content of a collection. */
export function startOf({ scope, name, type }: Did): ContentPosition {
  const place = { did: { scope, name } };
  return type === 'DATASET' ? { path: [], dataset: place } : { path: [place] };
}

/**
 * Goes through the files below a collection, dataset by dataset, through all levels, page by page; from wherever it was
 * left. A dataset that can be reached twice comes twice; a container is not entered below itself.
 *
 * Every collection is read before its content. Whoever writes on condition that these are unchanged has seen all of
 * their content as it is then.
 */
export class ContentCursor {
  readonly #table: Table;
  readonly #path: Place[];
  #dataset: Place | undefined;
  #isResumed = true;
  readonly #collections = new Map<string, Did | undefined>();
  /** Children of containers that were read ahead, by the container. */
  readonly #ahead = new Map<string, { readonly child: DidKey; readonly type: string }[]>();
  /** Of those, by name, the ones that it has relied on since {@link begin}. */
  readonly #used = new Set<string>();
  readonly #files: Map<string, Did>;
  readonly #filesAtOnce: number;
  /** Files of the dataset at hand that were read ahead. */
  #filesAhead: { readonly children: DidKey[]; readonly isEnd: boolean } = { children: [], isEnd: false };

  /**
   * @param table Shows what is committed when it is read.
   * @param files Files that were read already, by name; those that are read are added.
   * @param filesAtOnce How many are read ahead.
   */
  constructor(
    table: Table,
    { path, dataset }: ContentPosition,
    files = new Map<string, Did>(),
    filesAtOnce = mostFiles,
  ) {
    this.#table = table;
    this.#path = [...path];
    this.#dataset = dataset;
    this.#files = files;
    this.#filesAtOnce = filesAtOnce;
  }

  /** Where it stands. */
  position(): ContentPosition {
    return { path: [...this.#path], ...(this.#dataset === undefined ? {} : { dataset: this.#dataset }) };
  }

  /** The collections whose content it relied on, as they were read; since {@link begin}, if that was called. */
  collections(): Did[] {
    return [...this.#used].flatMap((key) => this.#collections.get(key) ?? []);
  }

  /** From now on only those collections matter that are entered. */
  begin(): void {
    this.#used.clear();
    for (const { did } of this.#path) this.#used.add(formatDid(did));
    if (this.#dataset !== undefined) this.#used.add(formatDid(this.#dataset.did));
  }

  /** Whoever reads here has changed a collection himself. */
  revise(did: Did): void {
    this.#collections.set(formatDid(did), { ...did, rev: (did.rev ?? 0) + 1 });
  }

  /** Whether files were read that have not been asked for yet. */
  get isAhead(): boolean {
    return this.#filesAhead.children.length > 0;
  }

  /** The dataset at hand, or the next one; undefined: there are no more. */
  async dataset(): Promise<Did | undefined> {
    if (this.#isResumed) await this.#resume();
    while (this.#dataset !== undefined || this.#path.length > 0) {
      if (this.#dataset === undefined) await this.#advance();
      else {
        const dataset = await this.#read(this.#dataset.did);
        if (dataset?.type === 'DATASET') return dataset;
        this.leave();
      }
    }
    return undefined;
  }

  /** Whether nothing of the dataset at hand was gone through yet. */
  isAtStart(): boolean {
    return this.#dataset?.after === undefined;
  }

  /** The next files of the dataset at hand, `limit` at most, each with its replicas. */
  async files(limit: number): Promise<FilePage> {
    const { did } = this.#dataset ?? { did: { scope: '', name: '' } };
    if (!this.isAhead && !this.#filesAhead.isEnd) await this.#readAhead(limit);
    const { children, isEnd } = this.#filesAhead;
    const taken = children.splice(0, limit);
    const last = taken.at(-1);
    if (last !== undefined) this.#dataset = { did, after: last };
    const files = taken.flatMap((child) => this.#files.get(formatDid(child)) ?? []);
    return { files, isLast: isEnd && children.length === 0 };
  }

  /** Goes back to the first file of the dataset at hand. */
  rewind(): void {
    const dataset = this.#dataset;
    this.leave();
    if (dataset !== undefined) this.#dataset = { did: dataset.did };
  }

  /** Is done with the dataset at hand. */
  leave(): void {
    this.#dataset = undefined;
    this.#filesAhead = { children: [], isEnd: false };
  }

  async #readAhead(limit: number): Promise<void> {
    const { did, after } = this.#dataset ?? { did: { scope: '', name: '' } };
    const most = Math.max(Math.min(limit, mostFiles), this.#filesAtOnce);
    const children: DidKey[] = [];
    for await (const { child } of listChildren(this.#table, did, { after, pageSize: most })) {
      children.push(child);
      if (children.length === most) break;
    }
    await this.#load(children);
    this.#filesAhead = { children, isEnd: children.length < most };
  }

  /** What was entered may have been detached since: then nothing below it is gone through any more. */
  async #resume(): Promise<void> {
    this.#isResumed = false;
    const way = [...this.#path, ...(this.#dataset === undefined ? [] : [this.#dataset])].map(({ did }) => did);
    for (const { did } of this.#path) await this.#read(did);
    const pairs = way.slice(1).map((child, index) => ({ parent: way[index] as DidKey, child }));
    const attached = new Set((await getEdges(this.#table, pairs)).map(({ child }) => formatDid(child)));
    const gone = way.findIndex((did, index) => index > 0 && !attached.has(formatDid(did)));
    if (gone < 0) return;
    this.leave();
    this.#path.splice(gone);
  }

  /** Goes one child further in the container at hand. */
  async #advance(): Promise<void> {
    const place = this.#path.at(-1);
    if (place === undefined) return;
    const key = formatDid(place.did);
    const next = (await this.#children(place)).shift();
    if (next === undefined) {
      this.#ahead.delete(key);
      this.#path.pop();
      return;
    }
    const { child, type } = next;
    this.#path[this.#path.length - 1] = { did: place.did, after: child };
    if (type === 'DATASET') this.#dataset = { did: child };
    else if (type === 'CONTAINER' && this.#path.every(({ did }) => formatDid(did) !== formatDid(child))) {
      this.#path.push({ did: child });
    }
  }

  async #children({ did, after }: Place) {
    const key = formatDid(did);
    const known = this.#ahead.get(key);
    if (known !== undefined && known.length > 0) return known;
    const found: { child: DidKey; type: string }[] = [];
    if ((await this.#read(did)) !== undefined) {
      for await (const { child, type } of listChildren(this.#table, did, { after, pageSize })) {
        found.push({ child, type });
        if (found.length === pageSize) break;
      }
    }
    this.#ahead.set(key, found);
    return found;
  }

  async #read(did: DidKey): Promise<Did | undefined> {
    const key = formatDid(did);
    this.#used.add(key);
    if (!this.#collections.has(key)) this.#collections.set(key, await getDid(this.#table, did));
    return this.#collections.get(key);
  }

  async #load(dids: readonly DidKey[]): Promise<void> {
    const unknown = dids.filter((did) => !this.#files.has(formatDid(did)));
    for (const file of await getDids(this.#table, unknown)) this.#files.set(formatDid(file), file);
  }
}
