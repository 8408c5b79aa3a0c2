import { hash, randomBytes } from 'node:crypto';

import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getVisited, insertVisited } from '../../store/entities/visited.ts';
import type { Insert } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';

/** Form in which a task stores the collections that it has visited. */
export interface VisitedRecord {
  /** The key of the lists in the table. */
  readonly id: string;
  /** The number of these lists. */
  readonly lists: number;
  /** Digests that are in no list yet, concatenated. */
  readonly tail: string;
}

/** A collection. A walk of former content meets a deleted one and its successor of the same name, maybe of another type. */
interface Collection extends DidKey {
  readonly type: DidType;
}

/** Length of a digest (64 bits) in characters. */
const digestLength = 11;

/** Digests per list; fewer are kept in the position of the task. */
const digestsPerList = 500;

/**
 * The collections that a walk has visited, so that none is visited twice, whatever the number of paths to it. A task
 * stores digests of their names: the latest in its position, the others in lists in the table.
 */
export class VisitedCollections {
  readonly #table: Table;
  readonly #id: string;
  readonly #digests = new Set<string>();
  #lists: number;
  #tail: string;
  #isRead: boolean;

  constructor(table: Table, record?: VisitedRecord) {
    this.#table = table;
    this.#id = record?.id ?? randomBytes(8).toString('hex');
    this.#lists = record?.lists ?? 0;
    this.#tail = record?.tail ?? '';
    this.#isRead = this.#lists === 0;
    this.#read(this.#tail);
  }

  /** Whether a collection was visited. */
  async has(collection: Collection): Promise<boolean> {
    if (!this.#isRead) {
      for (const text of await getVisited(this.#table, this.#id, this.#lists)) this.#read(text);
      this.#isRead = true;
    }
    return this.#digests.has(digest(collection));
  }

  /** Marks a collection as visited. */
  add(collection: Collection): void {
    const name = digest(collection);
    if (this.#digests.has(name)) return;
    this.#digests.add(name);
    this.#tail += name;
  }

  /** Collections for the position of a task; undefined: none. */
  record(): VisitedRecord | undefined {
    if (this.#lists === 0 && this.#tail === '') return undefined;
    return { id: this.#id, lists: this.#lists, tail: this.#tail };
  }

  /**
   * Moves digests to a list once they are too many for a position. Commit the writes together with the next
   * {@link record}.
   */
  flush(): Insert[] {
    if (this.#tail.length < digestsPerList * digestLength) return [];
    const list = insertVisited(this.#id, this.#lists, this.#tail);
    this.#lists += 1;
    this.#tail = '';
    return [list];
  }

  #read(text: string): void {
    for (let at = 0; at < text.length; at += digestLength) this.#digests.add(text.slice(at, at + digestLength));
  }
}

function digest({ type, ...did }: Collection): string {
  return hash('sha256', `${type} ${formatDid(did)}`, 'buffer')
    .subarray(0, 8)
    .toString('base64url');
}
