import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import { clock } from '../../clock.ts';
import { unavailable } from '../../errors.ts';
import type { TableClient } from '../items/client.ts';
import { PutCommand, UpdateCommand, type UpdateCommandInput } from '../items/commands.ts';
import type { Item } from '../items/item.ts';
import { wasUncertain } from '../items/uncertain-attempts.ts';
import { batchKeys, batchTime, newBatchId } from '../keys/batch-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import {
  batchDeadlineMs,
  batchHorizonMs,
  committedLongAgo,
  packWrittenKeys,
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
 * A bulk request writes a pending record, inserts its items stamped with the id of the batch, stages its changes of
 * existing items beside their values, and then sets the record to committed by a single write. A reader that finds a stamp
 * looks up the record. docs/adr/0003-staged-commit.md has the reasons and the rules.
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

/** The most verdicts that a process caches. */
const maxCachedVerdicts = 10_000;

/** The records of batches, with a cache of their verdicts. */
export class BatchLog {
  readonly #client: TableClient;
  readonly #table: string;
  readonly #unfinished: UnfinishedBatches;
  /** A cache of verdicts that cannot change any more. */
  readonly #final = new Map<string, Verdict>();

  constructor(client: TableClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#unfinished = new UnfinishedBatches({ client, tableName: table });
  }

  /**
   * Writes the pending record of a new batch with the keys that it is going to write. Keys that do not fit into one write
   * unit are kept in list items, since the record is written at least twice more.
   */
  async begin(inserted: readonly Key[], changed: readonly Key[] = []): Promise<string> {
    const now = clock.now();
    const id = newBatchId(now);
    const packed = packWrittenKeys({ inserted, changed });
    const record = { ...batchKeys.record(id), state: 'pending', deadline: now + batchDeadlineMs, ...packed.record };
    const ttl = recordTtl.list(now);
    await Promise.all([
      this.#putOnce(record),
      ...packed.lists.map((list, index) => this.#put({ ...batchKeys.list(id, index), ...list, ttl })),
    ]);
    return id;
  }

  /**
   * Makes everything that a batch staged visible at once.
   *
   * @throws DatabaseException (503) when another process has aborted the batch.
   */
  async commit(id: string): Promise<void> {
    const at = commitTime(id);
    if (!(await this.#close(id, 'committed', at))) throw unavailable();
    this.#cache(id, { state: 'committed', at });
  }

  /**
   * Commits a batch by a transaction that changes other items as well.
   *
   * @param transact Called with the change of the record.
   */
  async commitBy(id: string, transact: (record: Closing) => Promise<void>): Promise<void> {
    const at = commitTime(id);
    await transact(this.#closing(id, 'committed', at));
    this.#cache(id, { state: 'committed', at });
  }

  /** Aborts a pending batch; false when it is committed already. */
  async abort(id: string): Promise<boolean> {
    return (await this.takeOver(id)) !== 'committed';
  }

  /** Aborts a pending batch, and tells whether this call did so. */
  async takeOver(id: string): Promise<'aborted now' | 'aborted before' | 'committed'> {
    if (this.#final.get(id)?.state === 'aborted') return 'aborted before';
    const now = await this.#close(id, 'aborted', clock.now());
    // Read the record whatever the age: an old batch may still be pending.
    if (!now && (await this.#read(id)).state !== 'aborted') return 'committed';
    this.#cache(id, { state: 'aborted' });
    return now ? 'aborted now' : 'aborted before';
  }

  /** Records that an aborted batch has no writes in the table, and that none can arrive. */
  async recordCleared(id: string): Promise<void> {
    const now = clock.now();
    await this.#updateAborted(id, 'SET #cleared = :true, #ttl = :ttl REMOVE #position', {
      '#cleared': 'cleared',
      '#ttl': 'ttl',
      '#position': 'position',
      ':true': true,
      ':ttl': recordTtl.aborted(now),
    });
  }

  /** Saves how many keys of an aborted batch were cleaned up; absent: all. */
  async saveCleanupPosition(id: string, position?: number): Promise<void> {
    const terms = { '#checked': 'checked', '#position': 'position', ':now': clock.now() };
    if (position === undefined) await this.#updateAborted(id, 'SET #checked = :now REMOVE #position', terms);
    else await this.#updateAborted(id, 'SET #position = :position', { '#position': 'position', ':position': position });
  }

  /** Renews the deadline of a pending batch. */
  async renew(id: string): Promise<void> {
    const deadline = clock.now() + batchDeadlineMs;
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
  }

  /** Records that all changes of a committed batch are folded, so that recovery skips it. */
  async recordFolded(id: string): Promise<void> {
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

  /** Whether a batch is pending, aborted or committed. Final verdicts are cached. */
  async verdict(id: string): Promise<Verdict> {
    return this.cached(id) ?? (isOld(id) ? this.#oldVerdict(id) : this.#read(id));
  }

  /** The verdicts on many batches; records are read together. */
  async verdicts(ids: readonly string[]): Promise<ReadonlyMap<string, Verdict>> {
    const open = ids.filter((id) => this.cached(id) === undefined && !isOld(id));
    if (open.length > 1) {
      const records = await getRecords({ client: this.#client, tableName: this.#table }, open);
      const byId = new Map(records.map((record) => [record.SK, record]));
      const found = open.map((id) => [id, readVerdict(id, byId.get(id))] as const);
      for (const [id, verdict] of found) if (verdict.state !== 'pending') this.#cache(id, verdict);
      const others = ids.filter((id) => !open.includes(id));
      return new Map([...found, ...(await this.#verdictsEach(others))]);
    }
    return new Map(await this.#verdictsEach(ids));
  }

  #verdictsEach(ids: readonly string[]): Promise<(readonly [string, Verdict])[]> {
    return Promise.all(ids.map(async (id) => [id, await this.verdict(id)] as const));
  }

  /** The verdict on a batch whose stamp an item had at a past time, in milliseconds, at most a day ago. */
  async verdictAsOf(id: string, at: number): Promise<Verdict> {
    return this.#final.get(id) ?? (batchTime(id) < at - batchHorizonMs ? this.#oldVerdict(id) : this.#read(id));
  }

  /** The verdict on a batch if it needs no read. */
  cached(id: string): Verdict | undefined {
    const final = this.#final.get(id);
    if (final !== undefined || !isOld(id)) return final;
    const unfinished = this.#unfinished.includesCached(id);
    return unfinished === undefined ? undefined : toOldVerdict(unfinished);
  }

  async #oldVerdict(id: string): Promise<Verdict> {
    return toOldVerdict(await this.#unfinished.includes(id));
  }

  async #read(id: string): Promise<Verdict> {
    const record = await getRecord({ client: this.#client, tableName: this.#table }, id);
    const verdict = readVerdict(id, record);
    if (verdict.state !== 'pending') this.#cache(id, verdict);
    return verdict;
  }

  async #close(id: string, state: 'committed' | 'aborted', at: number): Promise<boolean> {
    try {
      await this.#client.send(new UpdateCommand(this.#closing(id, state, at)));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
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
  async #updateAborted(id: string, UpdateExpression: string, terms: Readonly<Record<string, unknown>>): Promise<void> {
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

  /** Puts a record that nobody else makes. An attempt that AWS carries out late must not overwrite what followed. */
  async #putOnce(item: Item): Promise<void> {
    try {
      await this.#put(item, { ConditionExpression: 'attribute_not_exists(PK)' });
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException && wasUncertain(error))) throw error;
    }
  }

  async #put(item: Item, condition = {}): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: item, ...condition }));
  }

  #cache(id: string, verdict: Verdict): void {
    if (this.#final.size >= maxCachedVerdicts) this.#final.delete(this.#final.keys().next().value ?? '');
    this.#final.set(id, verdict);
  }
}

/**
 * The time of a commit. Taken before the request is sent: a reader that starts after the answer starts after this time. It is not
 * before the begin of the batch, even if a server has corrected the clock since then.
 */
function commitTime(id: string): number {
  clock.observe(batchTime(id));
  const at = clock.now();
  clock.observe(at);
  return at;
}

/** The verdict of a record that was just read. Whatever this process does from now on is later than what it has seen. */
function readVerdict(id: string, record: Item | undefined): Verdict {
  const verdict = toVerdict(record);
  if (verdict.state === 'aborted') return verdict;
  if (verdict.state === 'pending') {
    clock.observe(batchTime(id));
    return verdict;
  }
  const isAhead = verdict.at > clock.timeOf(clock.moment());
  clock.observe(verdict.at);
  return isAhead ? { ...verdict, isAhead } : verdict;
}

const isOld = (id: string) => batchTime(id) < clock.now() - batchHorizonMs;

const toOldVerdict = (isUnfinished: boolean): Verdict => (isUnfinished ? { state: 'aborted' } : committedLongAgo);
