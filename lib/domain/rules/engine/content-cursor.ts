import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { asCollection, type CollectionDid, type FileDid, getDid, getFiles } from '../../../store/entities/did.ts';
import { listChildren } from '../../../store/entities/edge.ts';
import { withoutMetadata } from '../../../store/entities/file-room.ts';
import type { Insert } from '../../../store/items/plan.ts';
import { type ContentPosition, ContentWalk } from '../../did-graph/content-walk.ts';
import { formatDid } from '../../values/format-did.ts';

/** A page of files of a dataset. */
interface FilePage {
  readonly files: readonly FileDid[];
  /** Whether this is the last page. */
  readonly isLast: boolean;
}

/** Largest number of files per read. */
const maxFilesPerRead = 4_000;

/**
 * Iterates over the files below a collection, through all levels, dataset by dataset and page by page. It resumes from
 * a stored position and visits each dataset once.
 *
 * It reads every collection before its content. So if a plan requires that {@link collections} are unchanged
 * (optimistic lock), it has seen their complete content.
 *
 * States: `between datasets` (after the constructor and {@link leave}), `at start` of a dataset, `inside` a dataset,
 * and `over`. A stored position may also resume `inside` a dataset.
 *
 * - {@link dataset}: from `between datasets` to `at start`, or to `over`. Otherwise it returns the current dataset.
 * - {@link files}: from `at start` to `inside`, page by page, until a page is the last one.
 * - {@link rewind}: from `inside` back to `at start`.
 * - {@link leave}: from any dataset to `between datasets`; the dataset counts as visited.
 */
export class ContentCursor {
  readonly #table: Table;
  readonly #walk: ContentWalk;
  readonly #collections = new Map<string, CollectionDid | undefined>();
  /** The names of the collections read or traversed since {@link begin}. */
  readonly #used = new Set<string>();
  readonly #files: Map<string, FileDid>;
  readonly #filesPerRead: number;
  /** Files of the current dataset that were read ahead. */
  #filesAhead: { readonly children: DidKey[]; readonly isEnd: boolean } = { children: [], isEnd: false };
  /** The dataset of {@link #filesAhead}. */
  #current: string | undefined;

  /**
   * @param table A view of the latest committed state.
   * @param files Cache of files by name; the cursor adds those that it reads.
   * @param filesPerRead How many files are read ahead.
   */
  constructor(
    table: Table,
    position: ContentPosition,
    files = new Map<string, FileDid>(),
    filesPerRead = maxFilesPerRead,
  ) {
    this.#table = table;
    this.#walk = new ContentWalk(table, position, { enters: async (did) => (await this.#read(did)) !== undefined });
    this.#files = files;
    this.#filesPerRead = filesPerRead;
  }

  /** The position from which a later cursor resumes. */
  position(): ContentPosition {
    return this.#walk.position();
  }

  /** The writes that must be committed together with the next position. */
  flush(): Insert[] {
    return this.#walk.flush();
  }

  /** The collections that were read or traversed, in the state in which they were read: since {@link begin}, or else since the start. */
  collections(): CollectionDid[] {
    return [...this.#used].flatMap((key) => this.#collections.get(key) ?? []);
  }

  /** Starts a new part: {@link collections} now holds the path to the current dataset and what is read from here on. */
  begin(): void {
    this.#walk.begin();
    this.#used.clear();
    for (const did of this.#walk.way()) this.#used.add(formatDid(did));
  }

  /** Accounts for a write of the caller to a collection: expects its next revision from now on. */
  revise(did: CollectionDid): void {
    this.#collections.set(formatDid(did), { ...did, rev: (did.rev ?? 0) + 1 });
  }

  /** Whether files were read ahead that {@link files} has not returned yet. */
  get isAhead(): boolean {
    return this.#filesAhead.children.length > 0;
  }

  /** Whether all datasets are finished. */
  get isOver(): boolean {
    return this.#walk.isOver;
  }

  /**
   * The current dataset, or else the next one. Undefined: all are finished, or the search for the next one exceeds one
   * step.
   */
  async dataset(): Promise<CollectionDid | undefined> {
    for (let did = await this.#walk.next(); did !== undefined; did = await this.#walk.next()) {
      if (this.#current !== formatDid(did)) this.#dropAhead();
      this.#current = formatDid(did);
      const dataset = await this.#read(did);
      if (dataset?.type === 'DATASET') return dataset;
      this.leave();
    }
    return undefined;
  }

  /** Whether no file of the current dataset was returned yet. */
  isAtStart(): boolean {
    return this.#walk.place?.after === undefined;
  }

  /** The next files of the current dataset, at most `limit`, each with its replicas. */
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

  /** Goes back to the first file of the current dataset. */
  rewind(): void {
    this.#walk.rewind();
    this.#dropAhead();
  }

  /** Finishes the current dataset. */
  leave(): void {
    this.#walk.leave();
    this.#dropAhead();
  }

  #dropAhead(): void {
    this.#filesAhead = { children: [], isEnd: false };
  }

  async #readAhead(limit: number): Promise<void> {
    const { did, after } = this.#walk.place ?? { did: { scope: '', name: '' } };
    const count = Math.max(Math.min(limit, maxFilesPerRead), this.#filesPerRead);
    const children: DidKey[] = [];
    for await (const { child } of listChildren(this.#table, did, { after, pageSize: count })) {
      children.push(child);
      if (children.length === count) break;
    }
    await this.#load(children);
    this.#filesAhead = { children, isEnd: children.length < count };
  }

  async #read(did: DidKey): Promise<CollectionDid | undefined> {
    const key = formatDid(did);
    this.#used.add(key);
    if (!this.#collections.has(key)) this.#collections.set(key, asCollection(await getDid(this.#table, did)));
    return this.#collections.get(key);
  }

  async #load(dids: readonly DidKey[]): Promise<void> {
    const unknown = dids.filter((did) => !this.#files.has(formatDid(did)));
    for (const file of await getFiles(this.#table, unknown)) this.#files.set(formatDid(file), withoutMetadata(file));
  }
}
