import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, getDid, getDids, withoutMetadata } from '../../../store/entities/did.ts';
import { listChildren } from '../../../store/entities/edge.ts';
import type { Insert } from '../../../store/items/plan.ts';
import { type ContentPosition, ContentWalk } from '../../did-graph/content-walk.ts';
import { formatDid } from '../../values/format-did.ts';

/** Files of a dataset. */
interface FilePage {
  readonly files: readonly Did[];
  /** There are no more. */
  readonly isLast: boolean;
}

/** Files of a dataset that are read at once, unless less is wanted. */
const mostFiles = 4_000;

/**
 * Goes through the files below a collection, dataset by dataset, through all levels, page by page; from wherever it was
 * left. Each dataset comes once.
 *
 * Every collection is read before its content. Whoever writes on condition that these are unchanged has seen all of
 * their content as it is then.
 */
export class ContentCursor {
  readonly #table: Table;
  readonly #walk: ContentWalk;
  readonly #collections = new Map<string, Did | undefined>();
  /** Of those, by name, the ones that it has relied on since {@link begin}. */
  readonly #used = new Set<string>();
  readonly #files: Map<string, Did>;
  readonly #filesAtOnce: number;
  /** Files of the dataset at hand that were read ahead. */
  #filesAhead: { readonly children: DidKey[]; readonly isEnd: boolean } = { children: [], isEnd: false };
  /** The dataset for which they were read. */
  #current: string | undefined;

  /**
   * @param table Shows what is committed when it is read.
   * @param files Files that were read already, by name; those that are read are added.
   * @param filesAtOnce How many are read ahead.
   */
  constructor(table: Table, position: ContentPosition, files = new Map<string, Did>(), filesAtOnce = mostFiles) {
    this.#table = table;
    this.#walk = new ContentWalk(table, position, { enters: async (did) => (await this.#read(did)) !== undefined });
    this.#files = files;
    this.#filesAtOnce = filesAtOnce;
  }

  /** Where it stands. */
  position(): ContentPosition {
    return this.#walk.position();
  }

  /** What is to be written together with the next position. */
  flush(): Insert[] {
    return this.#walk.flush();
  }

  /** The collections whose content it relied on, as they were read; since {@link begin}, if that was called. */
  collections(): Did[] {
    return [...this.#used].flatMap((key) => this.#collections.get(key) ?? []);
  }

  /** From now on only those collections matter that are entered. */
  begin(): void {
    this.#walk.begin();
    this.#used.clear();
    for (const did of this.#walk.way()) this.#used.add(formatDid(did));
  }

  /** Whoever reads here has changed a collection himself. */
  revise(did: Did): void {
    this.#collections.set(formatDid(did), { ...did, rev: (did.rev ?? 0) + 1 });
  }

  /** Whether files were read that have not been asked for yet. */
  get isAhead(): boolean {
    return this.#filesAhead.children.length > 0;
  }

  /** Whether there is nothing left. */
  get isOver(): boolean {
    return this.#walk.isOver;
  }

  /** The dataset at hand, or the next one; undefined: there are no more, or the search for it takes another step. */
  async dataset(): Promise<Did | undefined> {
    for (let did = await this.#walk.next(); did !== undefined; did = await this.#walk.next()) {
      if (this.#current !== formatDid(did)) this.#dropAhead();
      this.#current = formatDid(did);
      const dataset = await this.#read(did);
      if (dataset?.type === 'DATASET') return dataset;
      this.leave();
    }
    return undefined;
  }

  /** Whether nothing of the dataset at hand was gone through yet. */
  isAtStart(): boolean {
    return this.#walk.place?.after === undefined;
  }

  /** The next files of the dataset at hand, `limit` at most, each with its replicas. */
  async files(limit: number): Promise<FilePage> {
    const { did } = this.#walk.place ?? { did: { scope: '', name: '' } };
    if (!this.isAhead && !this.#filesAhead.isEnd) await this.#readAhead(limit);
    const { children, isEnd } = this.#filesAhead;
    const taken = children.splice(0, limit);
    const last = taken.at(-1);
    if (last !== undefined) this.#walk.moveTo({ did, after: last });
    const files = taken.flatMap((child) => this.#files.get(formatDid(child)) ?? []);
    return { files, isLast: isEnd && children.length === 0 };
  }

  /** Goes back to the first file of the dataset at hand. */
  rewind(): void {
    this.#walk.rewind();
    this.#dropAhead();
  }

  /** Is done with the dataset at hand. */
  leave(): void {
    this.#walk.leave();
    this.#dropAhead();
  }

  #dropAhead(): void {
    this.#filesAhead = { children: [], isEnd: false };
  }

  async #readAhead(limit: number): Promise<void> {
    const { did, after } = this.#walk.place ?? { did: { scope: '', name: '' } };
    const most = Math.max(Math.min(limit, mostFiles), this.#filesAtOnce);
    const children: DidKey[] = [];
    for await (const { child } of listChildren(this.#table, did, { after, pageSize: most })) {
      children.push(child);
      if (children.length === most) break;
    }
    await this.#load(children);
    this.#filesAhead = { children, isEnd: children.length < most };
  }

  async #read(did: DidKey): Promise<Did | undefined> {
    const key = formatDid(did);
    this.#used.add(key);
    if (!this.#collections.has(key)) this.#collections.set(key, await getDid(this.#table, did));
    return this.#collections.get(key);
  }

  async #load(dids: readonly DidKey[]): Promise<void> {
    const unknown = dids.filter((did) => !this.#files.has(formatDid(did)));
    for (const file of await getDids(this.#table, unknown)) this.#files.set(formatDid(file), withoutMetadata(file));
  }
}
