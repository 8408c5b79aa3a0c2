import { setTimeout as sleep } from 'node:timers/promises';

import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';

import { Delivery, type StreamHandler } from './delivery.ts';
import { localClient } from './local-client.ts';
import { openPositionFile, type Positions } from './stream-position.ts';

/** Which stream is read, and for whom. */
export interface StreamPollerOptions {
  readonly endpoint: string;
  readonly tableName: string;
  readonly handler: StreamHandler;
  /** Keeps how far the stream has been read. */
  readonly dataDir?: string | undefined;
  /** Tells the readers of one stream apart. */
  readonly reader?: string;
  readonly say: (line: string) => void;
}

/** A poller that runs. */
export interface StreamPoller {
  /** Ends after what is under way, within two seconds. May be called again. */
  stop(): Promise<void>;
}

/** Records of a request at most. */
const batchSize = 1_000;

/**
 * Milliseconds between two questions while something happens, while nothing does, and after a failure. A question takes the
 * engine and us about 8 ms: without a pause that is what two readers are busy with.
 */
const [shortest, idle, afterFailure] = [20, 250, 2_000];

/** How often the list of shards is asked for: a shard that has ended says so by itself, a new one does not. */
const shardsEvery = 60_000;

/** How often the position is written, in milliseconds; what comes twice after a crash does no harm. */
const savedEvery = 1_000;

const grace = 2_000;

/**
 * Hands the records of the table's stream to a handler, as Lambda's event source mapping does: of each shard in order,
 * again what failed, children after their parents. Whatever goes wrong, it goes on, and nobody else is harmed.
 */
export function startStreamPoller(options: StreamPollerOptions): StreamPoller {
  const stopping = new AbortController();
  const done = run(options, stopping.signal);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await Promise.race([done, sleep(grace, undefined, { ref: false })]);
  };
  return { stop: () => (stopped ??= stop()) };
}

async function run(options: StreamPollerOptions, signal: AbortSignal): Promise<void> {
  let said = '';
  while (!signal.aborted) {
    const poll = new Poll(options, signal);
    try {
      await poll.run();
    } catch (error) {
      // Once for each trouble, not once for each attempt.
      if (!signal.aborted && said !== String(error)) {
        options.say(`the stream of the table could not be read: ${(said = String(error))}`);
      }
      await pause(afterFailure, signal);
    } finally {
      poll.close();
    }
  }
}

/** One reading of the stream, from the position that was kept until something goes wrong. */
class Poll {
  readonly #options: StreamPollerOptions;
  readonly #signal: AbortSignal;
  readonly #client: DynamoDBStreamsClient;
  readonly #iterators = new Map<string, string>();
  /** Shards that have been read to their end. */
  readonly #ended = new Set<string>();
  readonly #delivery: Delivery;
  #positions: Positions = new Map();
  #streamArn = '';
  #savedAt = 0;

  constructor(options: StreamPollerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#client = new DynamoDBStreamsClient({ endpoint: options.endpoint });
    this.#delivery = new Delivery(options.handler, signal, options.say);
  }

  close(): void {
    if (this.#streamArn !== '') this.#save();
    this.#client.destroy();
  }

  async run(): Promise<void> {
    this.#streamArn = await findStream(this.#options);
    this.#positions = openPositionFile(this.#options.dataDir, this.#options.reader).read(this.#streamArn);
    let shards: Shard[] = [];
    let listedAt = 0;
    for (let wait = shortest; !this.#signal.aborted; wait = Math.min(wait * 2, idle)) {
      const endedBefore = this.#ended.size;
      if (shards.length === 0 || Date.now() - listedAt > shardsEvery) {
        shards = await this.#listShards();
        listedAt = Date.now();
        this.#forgetAllBut(new Set(shards.map(({ ShardId = '' }) => ShardId)));
      }
      let records = 0;
      for (const shard of this.#open(shards)) records += await this.#readShard(shard);
      if (this.#ended.size > endedBefore) shards = [];
      if (records > 0) wait = shortest;
      if (records < batchSize) await pause(wait, this.#signal);
    }
  }

  /** Shards with something to read: not ended, and not before their parents are. */
  #open(shards: readonly Shard[]): string[] {
    const present = new Set(shards.map(({ ShardId = '' }) => ShardId));
    return shards.flatMap(({ ShardId = '', ParentShardId = '' }) =>
      this.#ended.has(ShardId) || (present.has(ParentShardId) && !this.#ended.has(ParentShardId)) ? [] : [ShardId],
    );
  }

  /** Shards go a day after they have ended. */
  #forgetAllBut(present: ReadonlySet<string>): void {
    for (const shard of this.#positions.keys()) if (!present.has(shard)) this.#positions.delete(shard);
    for (const shard of this.#ended) if (!present.has(shard)) this.#ended.delete(shard);
  }

  async #listShards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let from: string | undefined;
    do {
      const { StreamDescription } = await this.#client.send(
        new DescribeStreamCommand({
          StreamArn: this.#streamArn,
          ...(from === undefined ? {} : { ExclusiveStartShardId: from }),
        }),
      );
      shards.push(...(StreamDescription?.Shards ?? []));
      from = StreamDescription?.LastEvaluatedShardId;
    } while (from !== undefined);
    return shards;
  }

  /** Reads what there is of a shard next; answers how many records. */
  async #readShard(shard: string): Promise<number> {
    const iterator = this.#iterators.get(shard) ?? (await this.#iteratorOf(shard));
    const { Records = [], NextShardIterator } = await this.#client.send(
      new GetRecordsCommand({ ShardIterator: iterator, Limit: batchSize }),
      { abortSignal: this.#signal },
    );
    await this.#delivery.deliver(Records.map(asLambdaSees), (sequenceNumber) => {
      this.#positions.set(shard, sequenceNumber);
      if (Date.now() - this.#savedAt > savedEvery) this.#save();
    });
    if (NextShardIterator === undefined) {
      this.#ended.add(shard);
      this.#iterators.delete(shard);
    } else this.#iterators.set(shard, NextShardIterator);
    return Records.length;
  }

  /** Goes on behind the last record that is done with; from the oldest where the engine does not know that any more. */
  async #iteratorOf(shard: string): Promise<string> {
    const place = { StreamArn: this.#streamArn, ShardId: shard };
    const last = this.#positions.get(shard);
    const known =
      last === undefined
        ? undefined
        : await this.#client
            .send(
              new GetShardIteratorCommand({
                ...place,
                ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
                SequenceNumber: last,
              }),
            )
            .catch(() => undefined);
    const { ShardIterator } =
      known ?? (await this.#client.send(new GetShardIteratorCommand({ ...place, ShardIteratorType: 'TRIM_HORIZON' })));
    if (ShardIterator === undefined) throw new Error(`the engine cannot read the shard ${shard}`);
    return ShardIterator;
  }

  #save(): void {
    openPositionFile(this.#options.dataDir, this.#options.reader).write(this.#streamArn, this.#positions);
    this.#savedAt = Date.now();
  }
}

async function findStream({ endpoint, tableName }: StreamPollerOptions): Promise<string> {
  const client = localClient(endpoint);
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    if (Table?.LatestStreamArn === undefined) throw new Error(`the table ${tableName} has no stream`);
    return Table.LatestStreamArn;
  } finally {
    client.destroy();
  }
}

/** A record in the form in which Lambda hands it over: times in seconds, every value with its type. */
export function asLambdaSees({ dynamodb, ...record }: _Record): DynamoDBRecord {
  const at = dynamodb?.ApproximateCreationDateTime;
  const seconds = at === undefined ? {} : { ApproximateCreationDateTime: Math.floor(at.getTime() / 1000) };
  return withEmptyMaps({ ...record, dynamodb: { ...dynamodb, ...seconds } }) as DynamoDBRecord;
}

/** In its streams DynamoDB Local writes an empty map without its type. */
function withEmptyMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withEmptyMaps);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
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
