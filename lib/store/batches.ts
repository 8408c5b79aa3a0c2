import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../errors.ts';
import {
  batchDeadline,
  batchHorizon,
  committedLongAgo,
  type KeyRange,
  recordTtl,
  renewal,
  toVerdict,
  type Verdict,
} from './batch-record.ts';
import { itemSize } from './item-size.ts';
import type { Item } from './item.ts';
import { batchKeys, batchTime, newBatchId } from './keys/batch-keys.ts';
import type { Key } from './keys/key-parts.ts';

/*
 * Staged commit: how a bulk request of any size becomes visible at one instant, for one write unit an item.
 *
 * A bulk request writes a pending record, inserts its items stamped with the batch's id (and leaves its changes to
 * existing items beside their present values), then flips the record to committed: a single write. A reader that
 * meets a stamp looks the record up. docs/adr/0003-staged-commit.md has the reasons and the rules.
 */

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
   * Writes the pending record of a new batch and the lists of the places it is going to write to. What a unit has no room for
   * does not lie on the record, which is written twice more at least.
   *
   * @param changed The items that exist and are going to be changed.
   */
  async begin(ranges: readonly KeyRange[], changed: readonly Key[] = []): Promise<string> {
    const now = Date.now();
    const id = newBatchId(now);
    const ttl = recordTtl.unfinished(now);
    const rangesFit = itemSize({ ranges }) <= room;
    const changedFit = rangesFit && itemSize({ ranges, changed }) <= room;
    const record = {
      ...batchKeys.record(id),
      state: 'pending',
      deadline: now + batchDeadline,
      ttl,
      ranges: rangesFit ? ranges : [],
      // Empty or not, it says that there is something to fold.
      ...(changed.length === 0 ? {} : { changed: changedFit ? changed : [] }),
    };
    const lists = [...(rangesFit ? [] : chunks(ranges, 'ranges')), ...(changedFit ? [] : chunks(changed, 'changed'))];
    await Promise.all([
      this.#put(record),
      ...lists.map((list, index) => this.#put({ ...batchKeys.list(id, index), ...list, ttl })),
    ]);
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
        Key: batchKeys.record(id),
        UpdateExpression: 'REMOVE #ranges SET #cleared = :true, #ttl = :ttl',
        ConditionExpression: '#state = :aborted',
        ExpressionAttributeNames: { '#ranges': 'ranges', '#cleared': 'cleared', '#state': 'state', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':true': true,
          ':aborted': 'aborted',
          ':ttl': recordTtl.finished(Date.now()),
        },
      }),
    );
  }

  /** Says that the writer of a pending batch is still at it. */
  async renew(id: string): Promise<void> {
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: batchKeys.record(id),
        UpdateExpression: renewal,
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
        Key: batchKeys.record(id),
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
      new GetCommand({ TableName: this.#table, Key: batchKeys.record(id), ConsistentRead: true }),
    );
    const verdict = toVerdict(Item as Item | undefined);
    if (verdict.state !== 'pending') this.#remember(id, verdict);
    return verdict;
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
      Key: batchKeys.record(id),
      UpdateExpression: 'SET #state = :state, #at = :at, #ttl = :ttl',
      ConditionExpression: '#state = :pending OR (#state = :state AND #at = :at)',
      ExpressionAttributeNames: { '#state': 'state', '#at': 'at', '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':state': state,
        ':at': at,
        ':pending': 'pending',
        ':ttl': recordTtl[state === 'committed' ? 'finished' : 'unfinished'](at),
      },
    };
  }

  async #put(item: Item & { ttl: number }): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: item }));
  }

  #remember(id: string, verdict: Verdict): void {
    if (this.#final.size >= 10_000) this.#final.delete(this.#final.keys().next().value ?? '');
    this.#final.set(id, verdict);
  }
}

/** Bytes of places with which a record stays within a write unit whatever else it says, at the commit and later. */
const room = 940;

/** An item holds 400 KB; a range is at most three names of 600 bytes. */
function chunks<T>(list: readonly T[], name: string): Record<string, T[]>[] {
  const most = 200;
  const count = Math.ceil(list.length / most);
  return Array.from({ length: count }, (_value, n) => ({ [name]: list.slice(n * most, (n + 1) * most) }));
}
