import { setTimeout as sleep } from 'node:timers/promises';

import { clock } from '../lib/clock.ts';
import { parseNamed } from '../lib/json-names.ts';
import { Delivery, type StreamHandler } from './delivery.ts';
import type { RecordsPage, Transport } from './engine/src/transport.ts';
import { openPositionFile, type Positions } from './stream-position.ts';

/** The stream and its consumer. */
export interface StreamReaderOptions {
  readonly transport: Transport;
  /** Calls a listener when there may be more records; absent: the reader polls. */
  readonly subscribe?: ((listener: () => void) => () => void) | undefined;
  readonly tableName: string;
  readonly handler: StreamHandler;
  /** Folder that keeps the position in the stream. */
  readonly dataDir?: string | undefined;
  /** Distinguishes the readers of one stream. */
  readonly reader?: string;
  /**
   * Waits for more urgent work to finish, for some milliseconds at most. It is called after each batch with the time
   * that its processing took, so that the reader gets at most half of a busy process.
   */
  readonly waitForRequests?: (milliseconds: number) => Promise<void>;
  readonly say: (line: string) => void;
}

/** A running reader. */
export interface StreamReader {
  /** Stops within two seconds, after running work. Idempotent. */
  stop(): Promise<void>;
}

/** Records of one request. */
const batchSize = 1_000;

/** Pauses between two requests in milliseconds: under load, when idle, after a failure. */
const [busyPauseMs, idlePauseMs, failurePauseMs] = [20, 250, 2_000];

/** Interval of listing the shards. The end of a shard shows at once, a new shard only in the list. */
const shardListIntervalMs = 60_000;

/** Interval of storing the position. After a crash some records are read twice, which is harmless. */
const saveIntervalMs = 1_000;

const graceMs = 2_000;

/**
 * Delivers the records of the table's stream to a handler, like Lambda's event source mapping: each shard in order,
 * failed records again, children after their parents. It retries after every error.
 */
export function startStreamReader(options: StreamReaderOptions): StreamReader {
  const stopping = new AbortController();
  const done = run(options, stopping.signal);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await Promise.race([done, sleep(graceMs, undefined, { ref: false })]);
  };
  return { stop: () => (stopped ??= stop()) };
}

async function run(options: StreamReaderOptions, signal: AbortSignal): Promise<void> {
  let said = '';
  while (!signal.aborted) {
    const reading = new StreamPass(options, signal);
    try {
      await reading.run();
    } catch (error) {
      // Each error is reported once, not once for each attempt.
      if (!signal.aborted && said !== String(error)) {
        options.say(`the stream of the table could not be read: ${(said = String(error))}`);
      }
      await pause(failurePauseMs, signal);
    } finally {
      reading.close();
    }
  }
}

interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

/** One pass over the stream, from the stored position until an error. */
class StreamPass {
  readonly #options: StreamReaderOptions;
  readonly #signal: AbortSignal;
  readonly #iterators = new Map<string, string>();
  /** Shards that were read to their end. */
  readonly #ended = new Set<string>();
  readonly #delivery: Delivery;
  readonly #bell: WakeUp | undefined;
  #positions: Positions = new Map();
  #streamArn = '';
  #savedAt = 0;
  /** Whether more was followed than is stored. */
  #hasMoved = false;

  constructor(options: StreamReaderOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#delivery = new Delivery(options.handler, signal, options.say);
    this.#bell = options.subscribe === undefined ? undefined : new WakeUp(options.subscribe, signal);
  }

  close(): void {
    this.#bell?.close();
    if (this.#streamArn === '') return;
    try {
      this.#save();
    } catch {
      // The disk is full, say: what was followed since the stored position is followed again.
    }
  }

  async run(): Promise<void> {
    this.#streamArn = await this.#findStream();
    this.#positions = openPositionFile(this.#options.dataDir, this.#options.reader).read(this.#streamArn);
    // From now on the engine keeps what this reader has not read.
    this.#save();
    let shards: Shard[] = [];
    let listedAt = 0;
    for (let wait = busyPauseMs; !this.#signal.aborted; wait = Math.min(wait * 2, idlePauseMs)) {
      const endedBefore = this.#ended.size;
      if (shards.length === 0 || clock.now() - listedAt > shardListIntervalMs) {
        shards = await this.#listShards();
        listedAt = clock.now();
        this.#forgetAllBut(new Set(shards.map(({ ShardId }) => ShardId)));
      }
      let records = 0;
      for (const shard of this.#open(shards)) records += await this.#readShard(shard);
      if (this.#ended.size > endedBefore) shards = [];
      if (records > 0) wait = busyPauseMs;
      else if (this.#hasMoved && clock.now() - this.#savedAt >= saveIntervalMs) this.#save();
      if (this.#bell !== undefined) {
        // What was followed last is stored within the interval too, though nothing rings.
        if (records === 0) await this.#bell.wait(this.#hasMoved ? saveIntervalMs : undefined);
      } else if (records < batchSize) await pause(wait, this.#signal);
    }
  }

  /** Readable shards: not at their end, and with ended parents. */
  #open(shards: readonly Shard[]): string[] {
    const present = new Set(shards.map(({ ShardId }) => ShardId));
    return shards.flatMap(({ ShardId, ParentShardId = '' }) =>
      this.#ended.has(ShardId) || (present.has(ParentShardId) && !this.#ended.has(ParentShardId)) ? [] : [ShardId],
    );
  }

  /** Shards disappear a day after their end. */
  #forgetAllBut(present: ReadonlySet<string>): void {
    for (const shard of this.#positions.keys()) if (!present.has(shard)) this.#positions.delete(shard);
    for (const shard of this.#ended) if (!present.has(shard)) this.#ended.delete(shard);
  }

  async #findStream(): Promise<string> {
    const { tableName } = this.#options;
    const { Table } = await this.#ask<{ Table: { LatestStreamArn?: string } }>('DescribeTable', {
      TableName: tableName,
    });
    if (Table.LatestStreamArn === undefined) throw new Error(`the table ${tableName} has no stream`);
    return Table.LatestStreamArn;
  }

  async #listShards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let from: string | undefined;
    do {
      const { StreamDescription: page } = await this.#ask<{
        StreamDescription: { Shards?: readonly Shard[]; LastEvaluatedShardId?: string };
      }>('DescribeStream', {
        StreamArn: this.#streamArn,
        ...(from === undefined ? {} : { ExclusiveStartShardId: from }),
      });
      shards.push(...(page.Shards ?? []));
      from = page.LastEvaluatedShardId;
    } while (from !== undefined);
    return shards;
  }

  /** Reads and delivers the next records of a shard; returns their number. */
  async #readShard(shard: string): Promise<number> {
    const begun = performance.now();
    const iterator = this.#iterators.get(shard) ?? (await this.#iteratorOf(shard));
    const { Records: records = [], NextShardIterator } = await this.#getRecords(iterator);
    await this.#delivery.deliver(records, (sequenceNumber) => {
      this.#positions.set(shard, sequenceNumber);
      this.#hasMoved = true;
      if (clock.now() - this.#savedAt > saveIntervalMs) this.#save();
    });
    if (NextShardIterator === undefined) {
      this.#ended.add(shard);
      this.#iterators.delete(shard);
    } else this.#iterators.set(shard, NextShardIterator);
    if (records.length > 0) await this.#options.waitForRequests?.(performance.now() - begun);
    return records.length;
  }

  async #getRecords(iterator: string): Promise<Partial<RecordsPage>> {
    const input = { ShardIterator: iterator, Limit: batchSize };
    const { transport } = this.#options;
    return transport.readRecords === undefined ? this.#ask('GetRecords', input) : transport.readRecords(input);
  }

  /** Resumes after the last processed record, or with the oldest if the engine has already dropped that one. */
  async #iteratorOf(shard: string): Promise<string> {
    const place = { StreamArn: this.#streamArn, ShardId: shard };
    const last = this.#positions.get(shard);
    const ask = (from: object) => this.#ask<{ ShardIterator?: string }>('GetShardIterator', { ...place, ...from });
    const known =
      last === undefined
        ? undefined
        : await ask({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last }).catch(() => undefined);
    const { ShardIterator } = known ?? (await ask({ ShardIteratorType: 'TRIM_HORIZON' }));
    if (ShardIterator === undefined) throw new Error(`the engine cannot read the shard ${shard}`);
    return ShardIterator;
  }

  async #ask<T>(operation: string, input: object): Promise<T> {
    const { status, body } = await this.#options.transport.send(operation, JSON.stringify(input));
    if (status !== 200) throw new Error(`${operation}: ${body}`);
    const answer: unknown = parseNamed(body);
    return (this.#bell === undefined ? withEmptyMaps(answer) : answer) as T;
  }

  #save(): void {
    openPositionFile(this.#options.dataDir, this.#options.reader).write(this.#streamArn, this.#positions);
    this.#savedAt = clock.now();
    this.#hasMoved = false;
  }
}

/** Wakes a waiting reader. A ring while nobody waits is kept for the next wait. */
class WakeUp {
  #hasRung = true;
  #waiting: (() => void) | undefined;
  readonly #end: () => void;

  constructor(subscribe: (listener: () => void) => () => void, signal: AbortSignal) {
    this.#end = subscribe(() => this.#ring());
    signal.addEventListener('abort', () => this.#ring(), { once: true });
  }

  close(): void {
    this.#end();
    this.#ring();
  }

  /** Waits for a ring, for some milliseconds at most. */
  async wait(milliseconds?: number): Promise<void> {
    if (!this.#hasRung) {
      const timer = milliseconds === undefined ? undefined : setTimeout(() => this.#ring(), milliseconds).unref();
      await new Promise<void>((goOn) => {
        this.#waiting = goOn;
      });
      clearTimeout(timer);
    }
    this.#hasRung = false;
  }

  #ring(): void {
    this.#hasRung = true;
    this.#waiting?.();
    this.#waiting = undefined;
  }
}

/** DynamoDB Local omits the type of an empty map in its streams. */
function withEmptyMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withEmptyMaps);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, member]) => [name, isEmpty(member) && name !== 'M' ? { M: {} } : withEmptyMaps(member)]),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}
