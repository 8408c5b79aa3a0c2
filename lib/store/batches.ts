import { randomBytes } from 'node:crypto';

import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../errors.ts';
import { keys, shardCount, shards, type Key } from './keys.ts';
import type { Item } from './item.ts';

/*
 * Staged commit: how a bulk request of any size becomes visible at one instant, for one write unit an item.
 *
 * A bulk request writes a pending record, inserts its items stamped with the batch's id (and leaves its changes to
 * existing items beside their present values), then flips the record to committed: a single write. A reader that
 * meets a stamp looks the record up. docs/adr/0003-staged-commit.md has the reasons and the rules.
 */

/** After this many milliseconds without a word from its writer a batch is given up. */
export const batchDeadline = 60_000;

/** How long a batch may take from its begin to its commit, in milliseconds; far less than {@link batchHorizon}. */
export const longestBatch = 600_000;

/** After this many milliseconds a stamp needs no look-up: whatever still carries it was committed. */
export const batchHorizon = 3_600_000;

/** Records of finished batches outlive the horizon, so that a missing one can only mean an old one. */
const recordLifetime = 2 * batchHorizon;

/** An unfinished record stays until somebody has tidied up after it, however long nothing runs here. */
const unfinishedLifetime = 366 * 24 * batchHorizon;

const expiryOf = (now: number, lifetime: number) => Math.ceil((now + lifetime) / 1000);

/** A run of sort keys in one partition in which a batch wrote; enough to find what it left behind. */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
}

/** The state of a batch; `at` is the time of the commit in milliseconds. */
export type Verdict =
  | { readonly state: 'pending'; readonly deadline: number }
  | { readonly state: 'aborted' }
  | { readonly state: 'committed'; readonly at: number };

const committedLongAgo: Verdict = { state: 'committed', at: 0 };

/** Ids sort by the time of their begin. */
function newBatchId(now: number): string {
  return now.toString(36).padStart(9, '0') + randomBytes(6).toString('hex');
}

/** When a batch began, in milliseconds. */
export function batchTime(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}

/** The change of a record that ends its batch. */
type Closing = Required<
  Pick<
    UpdateCommandInput,
    | 'TableName'
    | 'Key'
    | 'UpdateExpression'
    | 'ConditionExpression'
    | 'ExpressionAttributeNames'
    | 'ExpressionAttributeValues'
  >
>;

/** The records of bulk requests, and what this process remembers of them. */
export class BatchLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  /** Verdicts that cannot change any more. */
  readonly #final = new Map<string, Verdict>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Writes the pending record of a new batch and the lists of the places it is going to write to.
   *
   * @param changed The items that exist and are going to be changed.
   */
  async begin(ranges: readonly KeyRange[], changed: readonly Key[] = []): Promise<string> {
    const now = Date.now();
    const id = newBatchId(now);
    const ttl = expiryOf(now, unfinishedLifetime);
    const [firstRanges = [], ...moreRanges] = chunks(ranges);
    const [firstChanged = [], ...moreChanged] = chunks(changed);
    const manifests = [
      ...moreRanges.map((more) => ({ ranges: more })),
      ...moreChanged.map((more) => ({ changed: more })),
    ];
    await Promise.all(manifests.map((lists, index) => this.#put({ ...this.#manifestKey(id, index), ...lists, ttl })));
    const lists = { ranges: firstRanges, ...(firstChanged.length > 0 ? { changed: firstChanged } : {}) };
    await this.#put({ ...this.#key(id), state: 'pending', deadline: now + batchDeadline, ...lists, ttl });
    return id;
  }

  /**
   * Makes everything that a batch staged visible at once.
   *
   * @throws DatabaseException (503) when the batch was given up in the meantime.
   */
  async commit(id: string): Promise<void> {
    // Taken before the request is sent: whoever starts after its answer starts after this time.
    const at = Date.now();
    if (!(await this.#close(id, 'committed', at))) throw unavailable();
    this.#remember(id, { state: 'committed', at });
  }

  /**
   * The same by a transaction that changes other items as well.
   *
   * @param transact Is given the change of the record.
   */
  async commitBy(id: string, transact: (record: Closing) => Promise<void>): Promise<void> {
    const at = Date.now();
    await transact(this.#closing(id, 'committed', at));
    this.#remember(id, { state: 'committed', at });
  }

  /** Gives a pending batch up; false when it was committed in the meantime. */
  async abort(id: string): Promise<boolean> {
    // Its age says nothing here: an old one may have lost its writer long ago.
    if (!(await this.#close(id, 'aborted', Date.now())) && (await this.#read(id)).state !== 'aborted') return false;
    this.#remember(id, { state: 'aborted' });
    return true;
  }

  /** Forgets an aborted batch of which nothing is left in the table. */
  async forget(id: string): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: this.#key(id),
        UpdateExpression: 'REMOVE #ranges SET #cleared = :true, #ttl = :ttl',
        ConditionExpression: '#state = :aborted',
        ExpressionAttributeNames: { '#ranges': 'ranges', '#cleared': 'cleared', '#state': 'state', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':true': true,
          ':aborted': 'aborted',
          ':ttl': expiryOf(Date.now(), recordLifetime),
        },
      }),
    );
  }

  /** Says that the writer of a pending batch is still at it. */
  async renew(id: string): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: this.#key(id),
        UpdateExpression: 'SET #deadline = :deadline',
        ConditionExpression: '#state = :pending',
        ExpressionAttributeNames: { '#deadline': 'deadline', '#state': 'state' },
        ExpressionAttributeValues: { ':deadline': Date.now() + batchDeadline, ':pending': 'pending' },
      }),
    );
  }

  /** Notes that all changes of a committed batch were folded, so that recovery need not look at them. */
  async folded(id: string): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: this.#key(id),
        UpdateExpression: 'REMOVE #changed',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeNames: { '#changed': 'changed' },
      }),
    );
  }

  /** Whether a batch is pending, aborted or committed; final answers cost no second read. */
  async verdict(id: string): Promise<Verdict> {
    return this.known(id) ?? this.#read(id);
  }

  /** The same of a batch whose stamp an item carried at a time in the past, in milliseconds. */
  async verdictAsOf(id: string, at: number): Promise<Verdict> {
    return this.#final.get(id) ?? (batchTime(id) < at - batchHorizon ? committedLongAgo : this.#read(id));
  }

  /** What is known of a batch without a read. */
  known(id: string): Verdict | undefined {
    return this.#final.get(id) ?? (batchTime(id) < Date.now() - batchHorizon ? committedLongAgo : undefined);
  }

  async #read(id: string): Promise<Verdict> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: this.#key(id), ConsistentRead: true }),
    );
    const verdict = toVerdict(Item as Item | undefined);
    if (verdict.state !== 'pending') this.#remember(id, verdict);
    return verdict;
  }

  /** Batches whose writer is gone: pending past their deadline, or given up and not yet cleared. */
  abandoned(now: number): Promise<string[]> {
    return this.#select(
      '(#state = :pending AND #deadline < :now) OR (#state = :aborted AND attribute_not_exists(#cleared))',
      { '#deadline': 'deadline', '#cleared': 'cleared' },
      { ':pending': 'pending', ':aborted': 'aborted', ':now': now },
    );
  }

  /** Batches with changes of existing items that were committed within a time, in milliseconds since 1970. */
  committed(from: number, to: number): Promise<string[]> {
    return this.#select(
      '#state = :committed AND attribute_exists(#changed) AND #at BETWEEN :from AND :to',
      { '#changed': 'changed', '#at': 'at' },
      { ':committed': 'committed', ':from': from, ':to': to },
    );
  }

  /** Where a batch wrote. */
  async ranges(id: string): Promise<KeyRange[]> {
    return (await this.#records(id)).flatMap((item) => (item['ranges'] ?? []) as KeyRange[]);
  }

  /** The items that a batch changed. */
  async changed(id: string): Promise<Key[]> {
    return (await this.#records(id)).flatMap((item) => (item['changed'] ?? []) as Key[]);
  }

  async #records(id: string): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          KeyConditionExpression: 'PK = :pk AND begins_with(SK, :id)',
          ExpressionAttributeValues: { ':pk': this.#key(id).PK, ':id': id },
          ConsistentRead: true,
          ...(start === undefined ? {} : { ExclusiveStartKey: start }),
        }),
      );
      found.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  }

  async #select(filter: string, names: Record<string, string>, values: Record<string, unknown>): Promise<string[]> {
    const lists = await Promise.all(shards.map((shard) => this.#selectOf(shard, filter, names, values)));
    return lists.flat();
  }

  async #selectOf(
    shard: number,
    filter: string,
    names: Record<string, string>,
    values: Record<string, unknown>,
  ): Promise<string[]> {
    const found: string[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          KeyConditionExpression: 'PK = :pk',
          FilterExpression: filter,
          ExpressionAttributeNames: { '#state': 'state', ...names },
          ExpressionAttributeValues: { ':pk': keys.batchShard(shard), ...values },
          ConsistentRead: true,
          ...(start === undefined ? {} : { ExclusiveStartKey: start }),
        }),
      );
      found.push(...(page.Items ?? []).map((item) => String(item['SK'])));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  }

  async #close(id: string, state: 'committed' | 'aborted', at: number): Promise<boolean> {
    try {
      await this.#client.send(new UpdateCommand(this.#closing(id, state, at)));
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
      throw error;
    }
  }

  #closing(id: string, state: 'committed' | 'aborted', at: number): Closing {
    return {
      TableName: this.#table,
      Key: this.#key(id),
      UpdateExpression: 'SET #state = :state, #at = :at, #ttl = :ttl',
      ConditionExpression: '#state = :pending OR (#state = :state AND #at = :at)',
      ExpressionAttributeNames: { '#state': 'state', '#at': 'at', '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':state': state,
        ':at': at,
        ':pending': 'pending',
        ':ttl': expiryOf(at, state === 'committed' ? recordLifetime : unfinishedLifetime),
      },
    };
  }

  async #put(item: Item & { ttl: number }): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: item }));
  }

  #key(id: string): Key {
    return { PK: keys.batchShard(Number.parseInt(id.slice(-2), 16) % shardCount), SK: id };
  }

  #manifestKey(id: string, index: number): Key {
    return { PK: this.#key(id).PK, SK: `${id}#${index}` };
  }

  #remember(id: string, verdict: Verdict): void {
    if (this.#final.size >= 10_000) this.#final.delete(this.#final.keys().next().value ?? '');
    this.#final.set(id, verdict);
  }
}

function toVerdict(record: Item | undefined): Verdict {
  if (record === undefined) return committedLongAgo;
  if (record['state'] === 'committed') return { state: 'committed', at: Number(record['at']) };
  if (record['state'] === 'aborted') return { state: 'aborted' };
  return { state: 'pending', deadline: Number(record['deadline']) };
}

/** An item holds 400 KB; a range is at most three names of 600 bytes. */
function chunks<T>(list: readonly T[]): T[][] {
  const most = 200;
  return Array.from({ length: Math.ceil(list.length / most) }, (_value, n) => list.slice(n * most, (n + 1) * most));
}
