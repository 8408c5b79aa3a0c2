import { createHash } from 'node:crypto';

import { withIndexEntries } from '../../lib/store/bulk-index.ts';
import type { Item } from '../../lib/store/items/item.ts';
import type { Insert, Write } from '../../lib/store/items/plan.ts';
import { findMisfit, prepareItem, type PreparedItem } from '../write/prepared-item.ts';
import type { ImportContext } from './import-context.ts';
import type { RejectedRow } from './rejected-rows.ts';
import { textOf } from './state-file.ts';
import { SumMap } from './sums.ts';

/** The items made from one range of rows. */
export class Batch {
  /** The items by key: two rows that make the same item count once. */
  readonly items = new Map<string, PreparedItem>();
  readonly rejected: RejectedRow[] = [];
  readonly sums = new SumMap();
  /** Rows by table that are past, and older than Dapple keeps such. */
  readonly expired = new Map<string, number>();
  readonly #now: number;

  /** @param now The time that the import counts as, in milliseconds since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  /** Adds the items of inserts. */
  add(...writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.kind !== 'insert') throw new Error('an import only inserts');
      const item = prepareItem(write.item);
      this.items.set(textOf(item), item);
    }
  }

  /** Adds a DID with its entries in the metadata index. */
  addDid(insert: Insert, { index, freeKeys }: ImportContext): void {
    this.add(...withIndexEntries(insert, index, freeKeys));
  }

  /** Notes a row that could not be taken as it is. */
  note(table: string, row: readonly (string | number)[], reason: string, done: string): void {
    this.rejected.push({ table, row: row.join(' '), reason, done });
  }

  /**
   * Makes writes of a row, and adds them unless the table cannot take them, or would delete them at once.
   *
   * @returns Whether they were added.
   */
  take(table: string, row: readonly (string | number)[], make: () => readonly Write[]): boolean {
    const misfit = this.#tryTo(table, make);
    if (misfit === undefined) return true;
    this.note(table, row, misfit, leftOut);
    return false;
  }

  #isExpired({ ttl }: Item): boolean {
    return typeof ttl === 'number' && ttl * 1_000 <= this.#now;
  }

  #tryTo(table: string, make: () => readonly Write[]): string | undefined {
    try {
      const writes = make();
      if (writes.some((write) => write.kind === 'insert' && this.#isExpired(write.item))) {
        this.expired.set(table, (this.expired.get(table) ?? 0) + 1);
        return undefined;
      }
      const misfits = writes.flatMap((write) => (write.kind === 'insert' ? (findMisfit(write.item) ?? []) : []));
      if (misfits[0] === undefined) this.add(...writes);
      return misfits[0];
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** The outcome of a row that is not taken. */
export const leftOut = 'left out';

/** An id that is the same in every run, for items that have none in Rucio. */
export function derivedId(digits: number, ...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits);
}
