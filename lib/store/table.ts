import { setTimeout as sleep } from 'node:timers/promises';

import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../errors.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { type IndexName, tableDefinition } from './table-definition.ts';
import type { View } from './view.ts';

/** A run of items in one partition of the table or of an index. */
export interface Range {
  readonly pk: string;
  readonly index?: IndexName;
  /** Bounds of the sort key, both inclusive; absent: the whole partition. */
  readonly from?: string;
  readonly to?: string;
  /** Items a page; for callers that need only the first few. */
  readonly pageSize?: number;
}

/** Reads of the one table, through a view. Queries of the table itself are strongly consistent. */
export class Table {
  readonly name: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #view: View;

  constructor(client: DynamoDBDocumentClient, name: string, view: View) {
    this.name = name;
    this.#client = client;
    this.#view = view;
  }

  /** The same table as it is at the moment of each read, for what is remembered beyond the request. */
  latest(): Table {
    return new Table(this.#client, this.name, this.#view.latest());
  }

  /** One item, strongly consistent. */
  async get(key: Key): Promise<Item | undefined> {
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.name, Key: key, ConsistentRead: true }));
    return Item === undefined ? undefined : (await this.#view.see([Item as Item]))[0];
  }

  /** The items of many keys, strongly consistent, in parallel requests of 100; those that do not exist are left out. */
  async getMany(wanted: readonly Key[]): Promise<Item[]> {
    const unique = [...new Map(wanted.map((key) => [`${key.PK}\n${key.SK}`, { PK: key.PK, SK: key.SK }])).values()];
    const chunks: Key[][] = [];
    for (let start = 0; start < unique.length; start += 100) chunks.push(unique.slice(start, start + 100));
    const pages = await Promise.all(chunks.map((chunk) => this.#batchGet(chunk)));
    return this.#view.see(pages.flat());
  }

  /** The items of a range in key order, page by page, as many as the caller takes. */
  async *query(range: Range): AsyncGenerator<Item> {
    const input = buildQuery(this.name, range);
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.#client.send(
        new QueryCommand(start === undefined ? input : { ...input, ExclusiveStartKey: start }),
      );
      yield* await this.#view.see((page.Items ?? []) as Item[]);
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
  }

  async #batchGet(wanted: readonly Key[]): Promise<Item[]> {
    const found: Item[] = [];
    let open: readonly Record<string, unknown>[] = wanted.map(({ PK, SK }) => ({ PK, SK }));
    for (let attempt = 0; open.length > 0; attempt += 1) {
      if (attempt > 8) throw unavailable();
      if (attempt > 0) await sleep(Math.random() * 25 * 2 ** attempt);
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({ RequestItems: { [this.name]: { Keys: [...open], ConsistentRead: true } } }),
      );
      found.push(...((Responses?.[this.name] ?? []) as Item[]));
      open = UnprocessedKeys?.[this.name]?.Keys ?? [];
    }
    return found;
  }
}

/** The query of a range. Indexes are eventually consistent; the table is read strongly. */
export function buildQuery(tableName: string, range: Range): QueryCommandInput {
  const index = tableDefinition.indexes.find(({ name }) => name === range.index);
  const { partitionKey, sortKey } = index ?? tableDefinition;
  const bounded = range.from !== undefined && range.to !== undefined;
  return {
    TableName: tableName,
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index.name }),
    KeyConditionExpression: bounded ? '#pk = :pk AND #sk BETWEEN :from AND :to' : '#pk = :pk',
    ExpressionAttributeNames: { '#pk': partitionKey, ...(bounded ? { '#sk': sortKey } : {}) },
    ExpressionAttributeValues: { ':pk': range.pk, ...(bounded ? { ':from': range.from, ':to': range.to } : {}) },
    ...(range.pageSize === undefined ? {} : { Limit: range.pageSize }),
  };
}
