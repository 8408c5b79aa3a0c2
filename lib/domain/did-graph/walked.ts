import { createHash, randomBytes } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import { getWalked, insertWalked } from '../../store/entities/walked.ts';
import type { Insert } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';

/** What a task keeps of the collections that it has walked through. */
export interface WalkedRecord {
  /** Names the lists in the table. */
  readonly id: string;
  /** How many of these there are. */
  readonly lists: number;
  /** Digests that are in no list yet, one behind the other. */
  readonly tail: string;
}

/** Characters of a digest: 64 bits. */
const width = 11;

/** Digests of a list; as long as there are fewer they are kept in the position of the task. */
const perList = 500;

/**
 * The collections that a walk has gone through, so that none is gone through twice, however many ways lead to it. A task
 * keeps digests of their names: those of the last ones in its position, the others in lists in the table.
 */
export class Walked {
  readonly #table: Table;
  readonly #id: string;
  readonly #digests = new Set<string>();
  #lists: number;
  #tail: string;
  #isRead: boolean;

  constructor(table: Table, record?: WalkedRecord) {
    this.#table = table;
    this.#id = record?.id ?? randomBytes(8).toString('hex');
    this.#lists = record?.lists ?? 0;
    this.#tail = record?.tail ?? '';
    this.#isRead = this.#lists === 0;
    this.#read(this.#tail);
  }

  /** Whether a collection was gone through. */
  async has(did: DidKey): Promise<boolean> {
    if (!this.#isRead) {
      for (const names of await getWalked(this.#table, this.#id, this.#lists)) this.#read(names);
      this.#isRead = true;
    }
    return this.#digests.has(digest(did));
  }

  /** Says that a collection was gone through. */
  add(did: DidKey): void {
    const name = digest(did);
    if (this.#digests.has(name)) return;
    this.#digests.add(name);
    this.#tail += name;
  }

  /** What the position of a task keeps; undefined: nothing. */
  record(): WalkedRecord | undefined {
    if (this.#lists === 0 && this.#tail === '') return undefined;
    return { id: this.#id, lists: this.#lists, tail: this.#tail };
  }

  /** Moves what has become too much for a position to a list; the write goes with the next {@link record}. */
  flush(): Insert[] {
    if (this.#tail.length < perList * width) return [];
    const list = insertWalked(this.#id, this.#lists, this.#tail);
    this.#lists += 1;
    this.#tail = '';
    return [list];
  }

  #read(names: string): void {
    for (let at = 0; at < names.length; at += width) this.#digests.add(names.slice(at, at + width));
  }
}

function digest(did: DidKey): string {
  return createHash('sha256').update(formatDid(did)).digest().subarray(0, 8).toString('base64url');
}
