import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import { tableDefinition } from '../../lib/store/items/table-definition.ts';
import { Engine } from '../../local/engine/src/engine.ts';
import { answerError } from '../../local/engine/src/protocol.ts';
import { Contention } from '../../local/engine/src/testing/contention.ts';
import { type Input, throttled, transactionConflict } from '../../local/engine/src/testing/faults.ts';
import type { Answer } from '../../local/engine/src/transport.ts';
import { clientOf } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';
import { LaggingIndexes } from './lagging-indexes.ts';
import { type PartitionLimit, type WrittenPartition, readCost, type RequestCost } from './partition-limit.ts';
import type { Random } from './random.ts';
import { type StreamRecord, tableName, type Values } from './records.ts';
import type { Scheduler } from './scheduler.ts';
import { cancelFirst, insertsOf, partitionsOf, refuseStatements, writes } from './table-requests.ts';

/** Behaviour of the table that the engine does not have. */
export interface Behaviour {
  /** Requests that overlap at an item conflict. */
  readonly conflicts: boolean;
  /** Secondary indexes are eventually consistent. */
  readonly indexLag: boolean;
}

/** How long a repeated transaction is recognised. */
const tokenLifetimeMs = 600_000;

/** The table on an embedded engine in memory, in virtual time: with conflicts, throttling and indexes that lag. */
export class SimulatedTable {
  engine: Engine;
  /** How often it was replaced by an empty one: what was sent to the one before is lost. */
  epoch = 0;
  /** Called with new records of the stream. */
  onRecords: (records: readonly StreamRecord[]) => void = () => {};
  /** Called with the units of each request; setting it makes requests ask for their units. */
  onCost: ((input: Input, cost: RequestCost) => void) | undefined;
  /** The throughput of partitions; absent: unlimited. */
  limit: PartitionLimit | undefined;
  /** Counts of events, by kind. */
  readonly counts: Map<string, number>;
  readonly #scheduler: Scheduler;
  #contention = makeContention();
  /** Throttled partitions, and until when. */
  readonly #throttled = new Map<string, number>();
  /** Tokens of transactions that were carried out, and when. */
  readonly #settled = new Map<unknown, number>();
  #behaviour: Behaviour;
  #indexes: LaggingIndexes | undefined;
  #isLoading = false;
  #stream = { StreamArn: '', ShardId: '' };
  #iterator: { readonly text: string; readonly at: number } | undefined;
  #last: string | undefined;

  private constructor(scheduler: Scheduler, behaviour: Behaviour, counts: Map<string, number>) {
    this.#scheduler = scheduler;
    this.#behaviour = behaviour;
    this.counts = counts;
    this.engine = makeEngine(scheduler);
  }

  static async open(scheduler: Scheduler, behaviour: Behaviour, counts: Map<string, number>): Promise<SimulatedTable> {
    const table = new SimulatedTable(scheduler, behaviour, counts);
    await makeTable(table.engine);
    table.#openStream();
    if (behaviour.indexLag) {
      table.#indexes = await table.#makeIndexes();
    }
    return table;
  }

  async #makeIndexes(): Promise<LaggingIndexes> {
    const follower = makeEngine(this.#scheduler);
    await makeTable(follower);
    return new LaggingIndexes(follower, this.#scheduler, this.counts);
  }

  /** Replaces it by an empty one, of which nobody is told what `load` puts into it. Requests that are under way are lost. */
  async replace(load: () => Promise<void>): Promise<void> {
    this.close();
    this.epoch += 1;
    [this.engine, this.#contention] = [makeEngine(this.#scheduler), makeContention()];
    [this.#iterator, this.#last] = [undefined, undefined];
    await makeTable(this.engine);
    this.#openStream();
    if (this.#indexes !== undefined) this.#indexes = await this.#makeIndexes();
    this.#isLoading = true;
    await load();
    this.#tell();
    this.#isLoading = false;
  }

  close(): void {
    this.engine.close();
    this.#indexes?.close();
  }

  /** Changes the behaviour from now on. */
  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour;
    if (!behaviour.indexLag) this.#indexes?.catchUp();
    this.#throttled.clear();
  }

  /** Lets the indexes lag by up to this many milliseconds, for a time. */
  lag(milliseconds: number, duration: number): void {
    this.#indexes?.lag(milliseconds, duration);
  }

  /** Throttles writes to the partition of a request for a time. */
  throttlePartition(operation: string, input: Input, milliseconds: number): void {
    const [partition] = partitionsOf(operation, input);
    if (partition !== undefined) this.#throttled.set(partition, this.#scheduler.now + milliseconds);
  }

  /** Carries out a request that has arrived. */
  carryOut(operation: string, input: Input, random: Random, done: (answer: Answer) => void): void {
    const isOver = this.limit?.isOver(this.#placesIn(operation, input), this.#scheduler.now) === true;
    if (isOver) this.#count('throttle at the limit of a partition');
    if (isOver || this.#isThrottled(operation, input)) return done(this.throttle(operation, input));
    const isRepeat = this.#isSettled(input);
    if (!this.#behaviour.conflicts || !writes.has(operation) || isRepeat) return done(this.#answer(operation, input));
    const passage = this.#contention.enter(operation, input);
    if ('status' in passage) {
      this.#count('conflict');
      return done(passage);
    }
    if (passage.input !== input) this.#count('conflict of a statement');
    const duration = operation === 'TransactWriteItems' ? random.between(8, 20) : random.between(0.5, 3);
    const { epoch } = this;
    this.#scheduler.after(duration, () => {
      if (this.epoch !== epoch) return;
      const answer = passage.complete(this.#answer(operation, passage.input, input));
      passage.release();
      if (answer.status === 200) this.#settle(input);
      done(answer);
    });
  }

  /** The answer to a throttled request. */
  throttle(operation: string, input: Input): Answer {
    if (operation === 'TransactWriteItems') return answerError(cancelFirst(input, 'ThrottlingError'));
    if (operation === 'BatchExecuteStatement') return refuseStatements(input, 'ThrottlingError', throttled.message);
    return answerError(throttled);
  }

  /** The answer to a write that conflicts with another one. */
  refuseForConflict(operation: string, input: Input): Answer {
    if (operation === 'TransactWriteItems') return answerError(cancelFirst(input, 'TransactionConflict'));
    if (operation === 'BatchExecuteStatement') {
      return refuseStatements(input, 'TransactionConflict', transactionConflict.message);
    }
    return answerError(transactionConflict);
  }

  /** All items. */
  scan(): Values[] {
    const found: Values[] = [];
    let start: unknown;
    do {
      const from = start === undefined ? {} : { ExclusiveStartKey: start };
      const { body } = this.engine.answer('Scan', { TableName: tableName, ...from });
      const page = JSON.parse(body) as { readonly Items: Values[]; readonly LastEvaluatedKey?: unknown };
      found.push(...page.Items);
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  }

  /** Puts items. */
  put(items: readonly Values[]): void {
    for (const Item of items) this.#ask('PutItem', { TableName: tableName, Item });
  }

  /** Deletes what has expired. */
  expire(): void {
    while (this.engine.runChores());
    this.#tell();
  }

  /** @param asked The request as it arrived; what is carried out may be a part of it. */
  #answer(operation: string, input: Input, asked = input): Answer {
    if (operation === 'Query' && input['IndexName'] !== undefined && this.#indexes?.isBehind === true) {
      return this.#indexes.query(input);
    }
    const asksIndexes = this.limit === undefined ? {} : { ReturnConsumedCapacity: 'INDEXES' };
    const answer = this.engine.answer(operation, { ...input, ...asksIndexes });
    if (writes.has(operation)) this.#tell();
    if (this.onCost !== undefined || this.limit !== undefined) this.#account(operation, { input, asked }, answer);
    return answer;
  }

  #account(operation: string, { input, asked }: { input: Input; asked: Input }, answer: Answer): void {
    const { total, table } = readCost(answer);
    this.onCost?.(asked, { [writes.has(operation) ? 'wru' : 'rru']: total });
    if (writes.has(operation)) this.limit?.charge(this.#placesIn(operation, input), table, this.#scheduler.now);
  }

  #placesIn(operation: string, input: Input): WrittenPartition[] {
    const isInsert = insertsOf(operation, input);
    return this.#contention.keysOf(operation, input).flatMap((key, at) => {
      const [partition] = key === undefined ? [] : (JSON.parse(key) as { readonly S?: string }[]);
      return partition?.S === undefined ? [] : { partition: partition.S, isInsert: isInsert(at) };
    });
  }

  #tell(): void {
    const records = this.#readStream();
    if (records.length === 0) return;
    this.#indexes?.follow(records);
    if (!this.#isLoading) this.onRecords(records);
  }

  #openStream(): void {
    const { Table } = this.#ask('DescribeTable', { TableName: tableName }) as { Table: { LatestStreamArn: string } };
    const StreamArn = Table.LatestStreamArn;
    const { StreamDescription } = this.#ask('DescribeStream', {
      StreamArn,
    }) as { StreamDescription: { Shards: { ShardId: string }[] } };
    this.#stream = { StreamArn, ShardId: StreamDescription.Shards[0]?.ShardId ?? '' };
  }

  #readStream(): StreamRecord[] {
    const found: StreamRecord[] = [];
    for (;;) {
      const page = this.engine.answerRecords({ ShardIterator: this.#findIterator() });
      const Records = page.Records as readonly StreamRecord[];
      this.#iterator = { text: page.NextShardIterator ?? '', at: this.#scheduler.now };
      this.#last = Records.at(-1)?.dynamodb.SequenceNumber ?? this.#last;
      found.push(...Records);
      if (Records.length < 1_000) return found;
    }
  }

  /** Iterators live for a quarter of an hour. */
  #findIterator(): string {
    if (this.#iterator !== undefined && this.#scheduler.now < this.#iterator.at + 60_000) return this.#iterator.text;
    const from =
      this.#last === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: this.#last };
    return (this.#ask('GetShardIterator', { ...this.#stream, ...from }) as { ShardIterator: string }).ShardIterator;
  }

  #ask(operation: string, input: object): unknown {
    const { status, body } = this.engine.answer(operation, input);
    if (status !== 200) throw new Error(`${operation}: ${body}`);
    return JSON.parse(body);
  }

  #isThrottled(operation: string, input: Input): boolean {
    if (this.#throttled.size === 0) return false;
    const met = partitionsOf(operation, input).some(
      (partition) => (this.#throttled.get(partition) ?? 0) > this.#scheduler.now,
    );
    if (met) this.#count('throttle of a partition');
    return met;
  }

  /** Whether it repeats a transaction that was carried out: that changes nothing, so it conflicts with nothing. */
  #isSettled({ ClientRequestToken: token }: Input): boolean {
    return token !== undefined && (this.#settled.get(token) ?? 0) > this.#scheduler.now - tokenLifetimeMs;
  }

  #settle({ ClientRequestToken: token }: Input): void {
    if (token !== undefined) this.#settled.set(token, this.#scheduler.now);
  }

  #count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }
}

const makeContention = () => new Contention([tableDefinition.partitionKey, tableDefinition.sortKey]);

const makeEngine = (scheduler: Scheduler) => new Engine({ clock: () => Math.floor(scheduler.now), manualChores: true });

async function makeTable(engine: Engine): Promise<void> {
  const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
  const client = new DynamoDBClient({ ...clientOf(engine), region: 'us-east-1', credentials });
  await createTable(client, tableName);
  client.destroy();
}
