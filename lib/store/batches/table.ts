import { chunksOf } from '../../chunks.ts';
import { PagedRows } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { batchGet, keysPerGet } from '../items/batch-get.ts';
import type { TableClient } from '../items/client.ts';
import { GetCommand, QueryCommand, type QueryCommandInput } from '../items/commands.ts';
import type { Item } from '../items/item.ts';
import { type IndexName, tableDefinition } from '../items/table-definition.ts';
import { isDidItem } from '../keys/did-keys.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';
import type { View } from './view.ts';

/** A range of items in one partition of the table or of an index. */
export interface Range {
  readonly pk: string;
  readonly index?: IndexName;
  /** Bounds of the sort key, both inclusive; absent: the whole partition. */
  readonly from?: string;
  readonly to?: string;
  /** Only the items after this sort key. */
  readonly after?: string | undefined;
  /** The size of the first page, for callers that need few items; each further page is twice as large. */
  readonly pageSize?: number | undefined;
  /** Only the items with one of these values in an attribute; the table reads the others, but does not send them. */
  readonly where?: { readonly attribute: string; readonly oneOf: readonly (number | string)[] } | undefined;
}

/** The part of a list that a caller reads; `P` names a position in the list. */
export interface Slice<P = string> {
  /** The first position to read, or the last one to skip; neither: from the start. */
  readonly from?: P;
  readonly after?: P | undefined;
  /** How many rows the caller will probably take; absent: all. */
  readonly pageSize?: number | undefined;
}

/** Result of one request of a list. */
export interface ReadItems {
  readonly items: readonly Item[];
  /** How many items the table has read for it. */
  readonly read: number;
}

/** The answer to one request for a range. */
export interface Page {
  readonly items: Item[];
  /** The last sort key that was read; absent: the range is complete. */
  readonly last?: string;
}

/** The most items of a page: half a megabyte, which bounds what a list holds in memory. */
const maxPageItems = 4_000;

/** After this many items a list continues with smaller pages, so that a very long one takes less memory. */
const longListItems = 20_000;
const longListPageItems = 500;

const itself = (item: Item) => item;

/** A cache of items that were read. */
interface ReadCache {
  readonly isWanted: (key: Key) => boolean;
  readonly items: Map<string, Item>;
}

/** Reads the table through a view. Queries of the table itself are strongly consistent, those of indexes eventually. */
export class Table {
  readonly name: string;
  readonly #client: TableClient;
  readonly #view: View;
  /** The cached reads, if reads are cached. */
  readonly #cache: ReadCache | undefined;

  constructor(client: TableClient, name: string, view: View, cache?: ReadCache) {
    this.name = name;
    this.#client = client;
    this.#view = view;
    this.#cache = cache;
  }

  /** The same table as of each read, for values that are cached beyond the request. */
  latest(): Table {
    return new Table(this.#client, this.name, this.#view.latest());
  }

  /** The same table, which caches the items it reads: by default DIDs, so that a plan does not read them twice. */
  caching(isWanted: (key: Key) => boolean = isDidItem): Table {
    return new Table(this.#client, this.name, this.#view, { isWanted, items: new Map() });
  }

  /** An item as it was read here; undefined if it was not read, is not cached, or does not exist. */
  cached(key: Key): Item | undefined {
    return this.#cache?.items.get(textOfKey(key));
  }

  /** All cached items. */
  allCached(): Item[] {
    return [...(this.#cache?.items.values() ?? [])];
  }

  /** One item, strongly consistent. */
  async get(key: Key): Promise<Item | undefined> {
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }));
    return Item === undefined ? undefined : (await this.#see([Item as Item]))[0];
  }

  /** The latest state of an item, and the deadline of pending batches that write it; strongly consistent. */
  async inspect(key: Key): Promise<{ readonly item?: Item; readonly busyUntil?: number }> {
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }));
    if (Item === undefined) return {};
    const view = this.#view.latest();
    const [item] = await view.see([Item as Item]);
    const busyUntil = await view.busyUntil(Item as Item);
    return { ...(item === undefined ? {} : { item }), ...(busyUntil === undefined ? {} : { busyUntil }) };
  }

  /** The items of many keys, strongly consistent, in parallel requests of 100; missing ones are left out. */
  async getMany(wanted: readonly Key[]): Promise<Item[]> {
    const unique = [...new Map(wanted.map((key) => [textOfKey(key), { PK: key.PK, SK: key.SK }])).values()];
    const chunks = chunksOf(unique, keysPerGet);
    const pages = await Promise.all(chunks.map((chunk) => batchGet(this.#client, this.name, chunk)));
    return this.#see(pages.flat());
  }

  /** The items of a range in key order, read page by page while the caller takes them. */
  query(range: Range): ReadyRows<Item>;
  /** Values of these items; `read` answers undefined for those that are left out. */
  query<T>(range: Range, read: (item: Item) => T | undefined): ReadyRows<T>;
  query<T>(range: Range, read?: (item: Item) => T | undefined): ReadyRows<Item | T> {
    const readPage = this.#pagesOf(range);
    return new PagedRows<Item, Item | T>(async () => (await readPage())?.items, read ?? itself);
  }

  /** Queries a range like `query`, page by page. */
  async *pages(range: Range): AsyncGenerator<ReadItems> {
    const readPage = this.#pagesOf(range);
    for (let page = await readPage(); page !== undefined; page = await readPage()) yield page;
  }

  #pagesOf(range: Range): () => Promise<ReadItems | undefined> {
    const input = buildQuery(this.name, range);
    let count = 0;
    let hasEnded = range.after !== undefined && range.to !== undefined && range.after >= range.to;
    return async () => {
      if (hasEnded) return undefined;
      const {
        Items = [],
        ScannedCount: read = 0,
        LastEvaluatedKey,
      } = await this.#client.send(new QueryCommand({ ...input }));
      if (LastEvaluatedKey === undefined) hasEnded = true;
      count += Items.length;
      input.ExclusiveStartKey = LastEvaluatedKey;
      input.Limit =
        count < longListItems ? Math.min(2 * (input.Limit ?? maxPageItems), maxPageItems) : longListPageItems;
      return { items: await this.#view.see(Items as Item[]), read };
    };
  }

  /** One page of a range, of `pageSize` items. */
  async page(range: Range): Promise<Page> {
    if (range.after !== undefined && range.to !== undefined && range.after >= range.to) return { items: [] };
    const { Items, LastEvaluatedKey } = await this.#client.send(new QueryCommand(buildQuery(this.name, range)));
    const items = await this.#view.see((Items ?? []) as Item[]);
    return LastEvaluatedKey === undefined ? { items } : { items, last: String(LastEvaluatedKey['SK']) };
  }

  async #see(items: readonly Item[]): Promise<Item[]> {
    const seen = await this.#view.see(items);
    for (const item of seen) if (this.#cache?.isWanted(item) === true) this.#cache.items.set(textOfKey(item), item);
    return seen;
  }
}

/** The query of a range. Indexes are eventually consistent; the table is read strongly. */
export function buildQuery(tableName: string, range: Range): QueryCommandInput {
  const index = tableDefinition.indexes.find(({ name }) => name === range.index);
  const { partitionKey, sortKey } = index ?? tableDefinition;
  const { pk, to, pageSize, where } = range;
  // The next possible sort key is the key followed by the least character.
  const from = range.after === undefined ? range.from : `${range.after}\u0000`;
  const bounds = { ...(from === undefined ? {} : { ':from': from }), ...(to === undefined ? {} : { ':to': to }) };
  const isBounded = from !== undefined || to !== undefined;
  const values = where?.oneOf.map((value, at) => [`:value${at}`, value] as const);
  return {
    TableName: tableName,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index.name }),
    KeyConditionExpression: `#pk = :pk${isBounded ? ` AND ${between(from, to)}` : ''}`,
    ...(values === undefined ? {} : { FilterExpression: `#where IN (${values.map(([name]) => name).join()})` }),
    ExpressionAttributeNames: {
      '#pk': partitionKey,
      ...(isBounded ? { '#sk': sortKey } : {}),
      ...(where === undefined ? {} : { '#where': where.attribute }),
    },
    ExpressionAttributeValues: { ':pk': pk, ...bounds, ...Object.fromEntries(values ?? []) },
    Limit: Math.min(pageSize ?? maxPageItems, maxPageItems),
  };
}

function between(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return '#sk <= :to';
  return to === undefined ? '#sk >= :from' : '#sk BETWEEN :from AND :to';
}
