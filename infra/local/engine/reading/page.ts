import type { Condition } from '../expressions/condition.ts';
import { RawJson } from '../json.ts';
import type { StoredItem } from '../storage/item-store.ts';
import type { Item } from '../values/attribute-value.ts';
import type { Shown } from './shown.ts';

/** A page of a query or a scan. */
export interface Page {
  readonly items: RawJson;
  readonly count: number;
  readonly scanned: number;
  /** Bytes that were read. */
  readonly bytes: number;
  /** The item after which the next page begins; undefined when nothing is left. */
  readonly last: StoredItem | undefined;
  /** Bytes of the items that were read from the table beside the index. */
  readonly fetched: readonly number[];
}

/** How a page is read. */
export interface PageOptions {
  /** The most items that are looked at. */
  readonly limit: number;
  readonly filter?: Condition | undefined;
  readonly shown?: Shown | undefined;
  /** Only how many there are is wanted. */
  readonly countsOnly: boolean;
  /** Reads the whole item for one that an index shows in part. */
  readonly fetch?: ((found: StoredItem) => StoredItem) | undefined;
}

/** Bytes of a page: it ends with the item that exceeds them. */
const fullPageBytes = 2 ** 20;

/** Reads items until a page is full. */
export function readPage(rows: Iterable<StoredItem>, options: PageOptions): Page {
  const { limit, filter, shown, countsOnly, fetch } = options;
  const texts: string[] = [];
  const fetched: number[] = [];
  let [count, scanned, bytes] = [0, 0, 0];
  let last: StoredItem | undefined;
  let isFull = false;
  for (const row of rows) {
    const found = fetch === undefined ? row : fetch(row);
    if (fetch !== undefined) fetched.push(found.size);
    scanned += 1;
    bytes += row.size;
    last = row;
    const item = filter === undefined && shown === undefined ? undefined : (JSON.parse(found.text) as Item);
    if (filter === undefined || filter.test(item)) {
      count += 1;
      if (!countsOnly) {
        texts.push(shown === undefined || item === undefined ? found.text : JSON.stringify(shown.project(item)));
      }
    }
    // A full page does not look whether there is more.
    isFull = scanned === limit || bytes > fullPageBytes;
    if (isFull) break;
  }
  return {
    items: new RawJson(`[${texts.join(',')}]`),
    count,
    scanned,
    bytes,
    last: isFull ? last : undefined,
    fetched,
  };
}
