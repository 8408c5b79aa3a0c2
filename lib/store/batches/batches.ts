import { type DynamoDBDocumentClient, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../../errors.ts';
import type { Item } from '../items/item.ts';
import { batchKeys, batchTime, newBatchId } from '../keys/batch-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import {
  batchDeadline,
  batchHorizon,
  committedLongAgo,
  packPlaces,
  recordTtl,
  renewal,
  toVerdict,
  type Verdict,
} from './batch-record.ts';
import { getRecord, getRecords } from './list-batches.ts';
import { UnfinishedBatches } from './unfinished-batches.ts';

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
  readonly #unfinished: UnfinishedBatches;
  /** Verdicts that cannot change any more. */
  readonly #final = new Map<string, Verdict>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#unfinished = new UnfinishedBatches({ client, tableName: table });
  }

  /**
   * Writes the pending record of a new batch and the keys of what it is going to write. Those for which the record has no
   * room in its unit lie beside it, since the record is written twice more at least.
   */
  async begin(inserted: readonly Key[], changed: readonly Key[] = []): Promise<string> {
    const now = Date.now();
    const id = newBatchId(now);
    const places = packPlaces({ inserted, changed });
    const record = { ...batchKeys.record(id), state: 'pending', deadline: now + batchDeadline, ...places.record };
    const ttl = recordTtl.list(now);
    await Promise.all([
      this.#put(record),
      ...places.lists.map((list, index) => this.#put({ ...batchKeys.list(id, index), ...list, ttl })),
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
    return (await this.takeOver(id)) !== 'committed';
  }

  /** The same, and says whether it was this call that ended the batch. */
  async takeOver(id: string): Promise<'aborted now' | 'aborted before' | 'committed'> {
    if (this.#final.get(id)?.state === 'aborted') return 'aborted before';
    const now = await this.#close(id, 'aborted', Date.now());
    // Its age says nothing here: an old one may have lost its writer long ago.
    if (!now && (await this.#read(id)).state !== 'aborted') return 'committed';
    this.#remember(id, { state: 'aborted' });
    return now ? 'aborted now' : 'aborted before';
  }

  /** Notes that nothing is left of an aborted batch, nor can come. */
  async forget(id: string): Promise<void> {
    const now = Date.now();
    await this.#note(id, 'SET #cleared = :true, #ttl = :ttl REMOVE #position', {
      '#cleared': 'cleared',
      '#ttl': 'ttl',
      '#position': 'position',
      ':true': true,
      ':ttl': recordTtl.aborted(now),
    });
  }

  /** Notes how far an aborted batch was looked through; absent: it was looked through as a whole. */
  async noteLook(id: string, position?: number): Promise<void> {
    const look = { '#lookedAt': 'lookedAt', '#position': 'position', ':now': Date.now() };
    if (position === undefined) await this.#note(id, 'SET #lookedAt = :now REMOVE #position', look);
    else await this.#note(id, 'SET #position = :position', { '#position': 'position', ':position': position });
  }

  /**
   * Says that the writer of a pending batch is still at it.
   *
   * @returns Until when others leave it alone, in milliseconds.
   */
  async renew(id: string): Promise<number> {
    const deadline = Date.now() + batchDeadline;
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: batchKeys.record(id),
        UpdateExpression: renewal,
        ConditionExpression: '#state = :pending',
        ExpressionAttributeNames: { '#deadline': 'deadline', '#state': 'state' },
        ExpressionAttributeValues: { ':deadline': deadline, ':pending': 'pending' },
      }),
    );
    return deadline;
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
    return this.known(id) ?? (isOld(id) ? this.#oldVerdict(id) : this.#read(id));
  }

  /** The same of many; records are read together. */
  async verdicts(ids: readonly string[]): Promise<ReadonlyMap<string, Verdict>> {
    const open = ids.filter((id) => this.known(id) === undefined && !isOld(id));
    if (open.length > 1) {
      const records = await getRecords({ client: this.#client, tableName: this.#table }, open);
      const byId = new Map(records.map((record) => [record.SK, record]));
      const found = open.map((id) => [id, toVerdict(byId.get(id))] as const);
      for (const [id, verdict] of found) if (verdict.state !== 'pending') this.#remember(id, verdict);
      const others = ids.filter((id) => !open.includes(id));
      return new Map([...found, ...(await this.#verdictsEach(others))]);
    }
    return new Map(await this.#verdictsEach(ids));
  }

  #verdictsEach(ids: readonly string[]): Promise<(readonly [string, Verdict])[]> {
    return Promise.all(ids.map(async (id) => [id, await this.verdict(id)] as const));
  }

  /** The same of a batch whose stamp an item carried at a time in the past, in milliseconds, a day ago at most. */
  async verdictAsOf(id: string, at: number): Promise<Verdict> {
    return this.#final.get(id) ?? (batchTime(id) < at - batchHorizon ? this.#oldVerdict(id) : this.#read(id));
  }

  /** What is known of a batch without a read. */
  known(id: string): Verdict | undefined {
    const final = this.#final.get(id);
    if (final !== undefined || !isOld(id)) return final;
    const unfinished = this.#unfinished.knows(id);
    return unfinished === undefined ? undefined : toOldVerdict(unfinished);
  }

  async #oldVerdict(id: string): Promise<Verdict> {
    return toOldVerdict(await this.#unfinished.includes(id));
  }

  async #read(id: string): Promise<Verdict> {
    const record = await getRecord({ client: this.#client, tableName: this.#table }, id);
    const verdict = toVerdict(record);
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
    const isCommit = state === 'committed';
    return {
      TableName: this.#table,
      Key: batchKeys.record(id),
      UpdateExpression: `SET #state = :state, #at = :at${isCommit ? ', #ttl = :ttl' : ''}`,
      ConditionExpression: '#state = :pending OR (#state = :state AND #at = :at)',
      ExpressionAttributeNames: { '#state': 'state', '#at': 'at', ...(isCommit ? { '#ttl': 'ttl' } : {}) },
      ExpressionAttributeValues: {
        ':state': state,
        ':at': at,
        ':pending': 'pending',
        ...(isCommit ? { ':ttl': recordTtl.committed(at) } : {}),
      },
    };
  }

  /** Changes the record of an aborted batch. */
  async #note(id: string, UpdateExpression: string, terms: Readonly<Record<string, unknown>>): Promise<void> {
    const given = (prefix: string) => Object.fromEntries(Object.entries(terms).filter(([name]) => name[0] === prefix));
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: batchKeys.record(id),
        UpdateExpression,
        ConditionExpression: '#state = :aborted',
        ExpressionAttributeNames: { ...(given('#') as Record<string, string>), '#state': 'state' },
        ExpressionAttributeValues: { ...given(':'), ':aborted': 'aborted' },
      }),
    );
  }

  async #put(item: Item): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: item }));
  }

  #remember(id: string, verdict: Verdict): void {
    if (this.#final.size >= 10_000) this.#final.delete(this.#final.keys().next().value ?? '');
    this.#final.set(id, verdict);
  }
}

const isOld = (id: string) => batchTime(id) < Date.now() - batchHorizon;

const toOldVerdict = (isUnfinished: boolean): Verdict => (isUnfinished ? { state: 'aborted' } : committedLongAgo);
