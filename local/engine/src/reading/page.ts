import type { Condition } from '../expressions/condition.ts';
import { StoredTexts } from '../json.ts';
import type { StoredItem } from '../storage/item-store.ts';
import { parseItem, printItem } from '../values/item-text.ts';
import type { ItemView } from './item-view.ts';

/** A page of a query or a scan. */
export interface Page {
  readonly items: StoredTexts;
  readonly count: number;
  readonly scanned: number;
  /** Bytes read. */
  readonly bytes: number;
  /** The last item of the page; undefined if nothing is left. */
  readonly last: StoredItem | undefined;
  /** Bytes of the items that were read from the table in addition to the index. */
  readonly fetched: readonly number[];
}

/** Options of a page. */
export interface PageOptions {
  /** Maximum number of evaluated items. */
  readonly limit: number;
  readonly filter?: Condition | undefined;
  readonly shown?: ItemView | undefined;
  /** Only the count is requested. */
  readonly countsOnly: boolean;
  /** Reads the whole item of an index entry that projects only part of it. */
  readonly fetch?: ((found: StoredItem) => StoredItem) | undefined;
}

/** Size of a full page: it ends with the item that exceeds it. */
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
    const text = showRow(found.text, filter, countsOnly ? undefined : shown);
    if (text !== undefined) {
      count += 1;
      if (!countsOnly) texts.push(text);
    }
    // A full page does not check whether there is more.
    isFull = scanned === limit || bytes > fullPageBytes;
    if (isFull) break;
  }
  return {
    items: new StoredTexts(texts),
    count,
    scanned,
    bytes,
    last: isFull ? last : undefined,
    fetched,
  };
}

/** The stored text of an item, or of what is shown of it; undefined if the filter omits the item. */
function showRow(text: string, filter: Condition | undefined, shown: ItemView | undefined): string | undefined {
  if (filter === undefined && shown === undefined) return text;
  if (lacksRequiredText(text, filter)) return undefined;
  const item = parseItem(text);
  if (filter?.test(item) === false) return undefined;
  return shown === undefined ? text : printItem(shown.project(item));
}

/** Whether a text shows that its item does not meet a filter. */
function lacksRequiredText(text: string, filter: Condition | undefined): boolean {
  return filter?.requiredTexts?.some((part) => text.includes(part)) === false;
}
