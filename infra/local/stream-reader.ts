import { setTimeout as sleep } from 'node:timers/promises';

import type { DynamoDBRecord } from 'aws-lambda';

import { Delivery, type StreamHandler } from './delivery.ts';
import type { Transport } from './engine/transport.ts';
import { openPositionFile, type Positions } from './stream-position.ts';

/** Which stream is read, and for whom. */
export interface StreamReaderOptions {
  readonly transport: Transport;
  /** Calls a listener when there may be more records; absent: the engine is asked again and again. */
  readonly subscribe?: ((listener: () => void) => () => void) | undefined;
  readonly tableName: string;
  readonly handler: StreamHandler;
  /** Keeps how far the stream has been read. */
  readonly dataDir?: string | undefined;
  /** Tells the readers of one stream apart. */
  readonly reader?: string;
  /**
   * Lets what is more urgent pass, for some milliseconds at most. It is called after each request for records with the
   * time that their handling took, so that reading gets half of a busy process.
   */
  readonly letPass?: (milliseconds: number) => Promise<void>;
  readonly say: (line: string) => void;
}

/** A reader that runs. */
export interface StreamReader {
  /** Ends after what is under way, within two seconds. May be called again. */
  stop(): Promise<void>;
}

/** Records of a request at most. */
const batchSize = 1_000;

/** Milliseconds between two questions while something happens, while nothing does, and after a failure. */
const [shortest, idle, afterFailure] = [20, 250, 2_000];

/** How often the list of shards is asked for: a shard that has ended says so by itself, a new one does not. */
const shardsEvery = 60_000;

/** How often the position is written, in milliseconds; records that come twice after a crash do no harm. */
const savedEvery = 1_000;

const grace = 2_000;

/**
 * Hands the records of the table's stream to a handler, as Lambda's event source mapping does: of each shard in order,
 * again what failed, children after their parents. Whatever goes wrong, it goes on, and nobody else is harmed.
 */
export function startStreamReader(options: StreamReaderOptions): StreamReader {
  const stopping = new AbortController();
  const done = run(options, stopping.signal);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await Promise.race([done, sleep(grace, undefined, { ref: false })]);
  };
  return { stop: () => (stopped ??= stop()) };
}

async function run(options: StreamReaderOptions, signal: AbortSignal): Promise<void> {
  let said = '';
  while (!signal.aborted) {
    const reading = new Reading(options, signal);
    try {
      await reading.run();
    } catch (error) {
      // Once for each trouble, not once for each attempt.
      if (!signal.aborted && said !== String(error)) {
        options.say(`the stream of the table could not be read: ${(said = String(error))}`);
      }
      await pause(afterFailure, signal);
    } finally {
      reading.close();
    }
  }
}

interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

interface Records {
  readonly Records?: readonly DynamoDBRecord[];
  readonly NextShardIterator?: string;
}

/** One reading of the stream, from the position that was kept until something goes wrong. */
class Reading {
  readonly #options: StreamReaderOptions;
  readonly #signal: AbortSignal;
  readonly #iterators = new Map<string, string>();
  /** Shards that have been read to their end. */
  readonly #ended = new Set<string>();
  readonly #delivery: Delivery;
  readonly #bell: Bell | undefined;
  #positions: Positions = new Map();
  #streamArn = '';
  #savedAt = 0;

  constructor(options: StreamReaderOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#delivery = new Delivery(options.handler, signal, options.say);
    this.#bell = options.subscribe === undefined ? undefined : new Bell(options.subscribe, signal);
  }

  close(): void {
    this.#bell?.close();
    if (this.#streamArn !== '') this.#save();
  }

  async run(): Promise<void> {
    this.#streamArn = await this.#findStream();
    this.#positions = openPositionFile(this.#options.dataDir, this.#options.reader).read(this.#streamArn);
    let shards: Shard[] = [];
    let listedAt = 0;
    for (let wait = shortest; !this.#signal.aborted; wait = Math.min(wait * 2, idle)) {
      const endedBefore = this.#ended.size;
      if (shards.length === 0 || Date.now() - listedAt > shardsEvery) {
        shards = await this.#listShards();
        listedAt = Date.now();
        this.#forgetAllBut(new Set(shards.map(({ ShardId }) => ShardId)));
      }
      let records = 0;
      for (const shard of this.#open(shards)) records += await this.#readShard(shard);
      if (this.#ended.size > endedBefore) shards = [];
      if (records > 0) wait = shortest;
      if (this.#bell !== undefined) {
        if (records === 0) await this.#bell.wait();
      } else if (records < batchSize) await pause(wait, this.#signal);
    }
  }

  /** Shards with something to read: not ended, and not before their parents are. */
  #open(shards: readonly Shard[]): string[] {
    const present = new Set(shards.map(({ ShardId }) => ShardId));
    return shards.flatMap(({ ShardId, ParentShardId = '' }) =>
      this.#ended.has(ShardId) || (present.has(ParentShardId) && !this.#ended.has(ParentShardId)) ? [] : [ShardId],
    );
  }

  /** Shards go a day after they have ended. */
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

  /** Reads what there is of a shard next; answers how many records. */
  async #readShard(shard: string): Promise<number> {
    const begun = performance.now();
    const iterator = this.#iterators.get(shard) ?? (await this.#iteratorOf(shard));
    const { Records: records = [], NextShardIterator } = await this.#ask<Records>('GetRecords', {
      ShardIterator: iterator,
      Limit: batchSize,
    });
    await this.#delivery.deliver(records, (sequenceNumber) => {
      this.#positions.set(shard, sequenceNumber);
      if (Date.now() - this.#savedAt > savedEvery) this.#save();
    });
    if (NextShardIterator === undefined) {
      this.#ended.add(shard);
      this.#iterators.delete(shard);
    } else this.#iterators.set(shard, NextShardIterator);
    if (records.length > 0) await this.#options.letPass?.(performance.now() - begun);
    return records.length;
  }

  /** Goes on behind the last record that is done with; from the oldest where the engine does not know that any more. */
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
    const answer: unknown = JSON.parse(body);
    return (this.#bell === undefined ? withEmptyMaps(answer) : answer) as T;
  }

  #save(): void {
    openPositionFile(this.#options.dataDir, this.#options.reader).write(this.#streamArn, this.#positions);
    this.#savedAt = Date.now();
  }
}

/** Rings when there may be more to read; what rang while nobody waited is not lost. */
class Bell {
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

  async wait(): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((goOn) => {
        this.#waiting = goOn;
      });
    }
    this.#hasRung = false;
  }

  #ring(): void {
    this.#hasRung = true;
    this.#waiting?.();
    this.#waiting = undefined;
  }
}

/** In its streams DynamoDB Local writes an empty map without its type. */
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
