import { type DynamoDBDocumentClient, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

import { batchGet } from '../items/batch-get.ts';
import type { Item } from '../items/item.ts';
import { type IndexName, tableDefinition } from '../items/table-definition.ts';
import { isDidItem } from '../keys/did-keys.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';
import type { View } from './view.ts';

/** A run of items in one partition of the table or of an index. */
export interface Range {
  readonly pk: string;
  readonly index?: IndexName;
  /** Bounds of the sort key, both inclusive; absent: the whole partition. */
  readonly from?: string;
  readonly to?: string;
  /** A sort key of the range: only what comes after it. */
  readonly after?: string | undefined;
  /** Items of the first page, for callers that need only a few; each further page is twice as large. */
  readonly pageSize?: number | undefined;
}

/** The part of a list that a caller reads, with `P` for what names a place in the list. */
export interface Slice<P = string> {
  /** The first place that is read, or the last one that is not; neither: from the start. */
  readonly from?: P;
  readonly after?: P | undefined;
  /** How many rows the caller will most likely take; absent: all. */
  readonly pageSize?: number | undefined;
}

/** What one request to a range answers. */
export interface Page {
  readonly items: Item[];
  /** The last sort key that was read; absent: there is nothing after it. */
  readonly last?: string;
}

/** Items of a page at most: half a megabyte, which bounds what a stream holds in memory. */
const largestPage = 4_000;

/** Items after which a list goes on in pages of another size, so that a very long one takes less memory. */
const long = { after: 20_000, page: 500 };

/** What is to be noted of what is read, and what was. */
interface Notes {
  readonly isWanted: (key: Key) => boolean;
  readonly items: Map<string, Item>;
}

/** Reads of the one table, through a view. Queries of the table itself are strongly consistent. */
export class Table {
  readonly name: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #view: View;
  /** What was read, where that is noted. */
  readonly #noted: Notes | undefined;

  constructor(client: DynamoDBDocumentClient, name: string, view: View, noted?: Notes) {
    this.name = name;
    this.#client = client;
    this.#view = view;
    this.#noted = noted;
  }

  /** The same table as it is at the moment of each read, for what is remembered beyond the request. */
  latest(): Table {
    return new Table(this.#client, this.name, this.#view.latest());
  }

  /** The same table, which notes what is read: DIDs, so that a plan does not read them again, or what else is wanted. */
  noting(isWanted: (key: Key) => boolean = isDidItem): Table {
    return new Table(this.#client, this.name, this.#view, { isWanted, items: new Map() });
  }

  /** An item as it was read here; undefined when it was not read, not noted, or not there. */
  noted(key: Key): Item | undefined {
    return this.#noted?.items.get(textOfKey(key));
  }

  /** All that was noted. */
  notes(): Item[] {
    return [...(this.#noted?.items.values() ?? [])];
  }

  /** One item, strongly consistent. */
  async get(key: Key): Promise<Item | undefined> {
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }));
    return Item === undefined ? undefined : (await this.#see([Item as Item]))[0];
  }

  /** One item as it is now, and until when a bulk request may take that is about to write it; strongly consistent. */
  async inspect(key: Key): Promise<{ readonly item?: Item; readonly busyUntil?: number }> {
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }));
    if (Item === undefined) return {};
    const view = this.#view.latest();
    const [item] = await view.see([Item as Item]);
    const busyUntil = await view.busyUntil(Item as Item);
    return { ...(item === undefined ? {} : { item }), ...(busyUntil === undefined ? {} : { busyUntil }) };
  }

  /** The items of many keys, strongly consistent, in parallel requests of 100; those that do not exist are left out. */
  async getMany(wanted: readonly Key[]): Promise<Item[]> {
    const unique = [...new Map(wanted.map((key) => [textOfKey(key), { PK: key.PK, SK: key.SK }])).values()];
    const chunks: Key[][] = [];
    for (let start = 0; start < unique.length; start += 100) chunks.push(unique.slice(start, start + 100));
    const pages = await Promise.all(chunks.map((chunk) => batchGet(this.#client, this.name, chunk)));
    return this.#see(pages.flat());
  }

  /** The items of a range in key order, page by page, as many as the caller takes. */
  async *query(range: Range): AsyncGenerator<Item> {
    if (range.after !== undefined && range.to !== undefined && range.after >= range.to) return;
    const input = buildQuery(this.name, range);
    for (let count = 0; ;) {
      const { Items = [], LastEvaluatedKey } = await this.#client.send(new QueryCommand({ ...input }));
      yield* await this.#view.see(Items as Item[]);
      if (LastEvaluatedKey === undefined) return;
      count += Items.length;
      input.ExclusiveStartKey = LastEvaluatedKey;
      input.Limit = count < long.after ? Math.min(2 * (input.Limit ?? largestPage), largestPage) : long.page;
    }
  }

  /** The first page of a range, of as many items as its `pageSize` says, and no more. */
  async page(range: Range): Promise<Page> {
    if (range.after !== undefined && range.to !== undefined && range.after >= range.to) return { items: [] };
    const { Items, LastEvaluatedKey } = await this.#client.send(new QueryCommand(buildQuery(this.name, range)));
    const items = await this.#view.see((Items ?? []) as Item[]);
    return LastEvaluatedKey === undefined ? { items } : { items, last: String(LastEvaluatedKey['SK']) };
  }

  async #see(items: readonly Item[]): Promise<Item[]> {
    const seen = await this.#view.see(items);
    for (const item of seen) if (this.#noted?.isWanted(item) === true) this.#noted.items.set(textOfKey(item), item);
    return seen;
  }
}

/** The query of a range. Indexes are eventually consistent; the table is read strongly. */
export function buildQuery(tableName: string, range: Range): QueryCommandInput {
  const index = tableDefinition.indexes.find(({ name }) => name === range.index);
  const { partitionKey, sortKey } = index ?? tableDefinition;
  const { pk, to, pageSize } = range;
  // The first sort key that can come after another one is that key and the least character.
  const from = range.after === undefined ? range.from : `${range.after}\u0000`;
  const bounds = { ...(from === undefined ? {} : { ':from': from }), ...(to === undefined ? {} : { ':to': to }) };
  const bounded = from !== undefined || to !== undefined;
  return {
    TableName: tableName,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index.name }),
    KeyConditionExpression: `#pk = :pk${bounded ? ` AND ${between(from, to)}` : ''}`,
    ExpressionAttributeNames: { '#pk': partitionKey, ...(bounded ? { '#sk': sortKey } : {}) },
    ExpressionAttributeValues: { ':pk': pk, ...bounds },
    Limit: Math.min(pageSize ?? largestPage, largestPage),
  };
}

function between(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return '#sk <= :to';
  return to === undefined ? '#sk >= :from' : '#sk BETWEEN :from AND :to';
}
