import type { ServiceModule } from './bundle.ts';
import type { FaultInjector } from './faults.ts';
import type { Fleet } from './fleet.ts';
import type { Random } from './random.ts';
import type { StreamRecord } from './records.ts';
import type { Scheduler } from './scheduler.ts';

type ConsumerName = keyof ServiceModule['consumers'];

/** Attempts after which a record is abandoned. */
const maxAttempts = 100;

/** A consumer of one shard: gets records in order and each again until it is processed. */
class ShardConsumer {
  readonly queue: StreamRecord[] = [];
  isBusy = false;
  heldUntil = 0;
}

/** The stream of the table and its consumers, with the behaviour of Lambda's event source mappings. */
export class Stream {
  /** Abandoned records, as texts. */
  readonly abandoned: string[] = [];
  /** Nothing is delivered. */
  isHeld = false;
  /** Maximum number of records in a batch. */
  batchSize = 100;
  readonly #followers: readonly { readonly name: ConsumerName; readonly shards: readonly ShardConsumer[] }[];
  readonly #scheduler: Scheduler;
  readonly #fleet: Fleet;
  readonly #faultInjector: FaultInjector;
  readonly #random: Random;
  /** How late the stream is in this history, in milliseconds. */
  readonly #lag: number;
  #invocations = 0;

  constructor(scheduler: Scheduler, fleet: Fleet, faultInjector: FaultInjector, random: Random) {
    this.#scheduler = scheduler;
    this.#fleet = fleet;
    this.#faultInjector = faultInjector;
    this.#random = random;
    const own = random.fork('lag');
    this.#lag = own.chance(0.5) ? 10 ** own.between(4, 5.3) : 0;
    const shardCount = 2 + random.fork('shards').below(3);
    const shards = () => Array.from({ length: shardCount }, () => new ShardConsumer());
    this.#followers = (['consume-stream', 'follow-up-stream'] as const).map((name) => ({ name, shards: shards() }));
  }

  get isQuiet(): boolean {
    return this.#followers.every(({ shards }) => shards.every(({ queue, isBusy }) => !isBusy && queue.length === 0));
  }

  /** Takes away what a consumer has not followed, in the order of the changes. */
  takeWaiting(consumer: ConsumerName): StreamRecord[] {
    const shards = this.#followers.find(({ name }) => name === consumer)?.shards ?? [];
    const numbered = shards.flatMap(({ queue }) => queue.splice(0));
    return numbered.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** Adds new records. */
  add(records: readonly StreamRecord[]): void {
    for (const record of records) {
      const hash = hashOf(record);
      for (const { name, shards } of this.#followers) {
        const follower = shards[hash % shards.length];
        if (follower === undefined) continue;
        follower.queue.push(record);
        if (!follower.isBusy) void this.#follow(name, follower);
      }
    }
  }

  async #follow(name: ConsumerName, follower: ShardConsumer): Promise<void> {
    follower.isBusy = true;
    for (let size = this.batchSize, failures = 0; follower.queue.length > 0;) {
      const random = this.#random.fork((this.#invocations += 1));
      const apart = this.#faultInjector.occurs('shard delay', 0.01, random) ? 10 ** random.between(4, 6.5) : 0;
      const late = this.#faultInjector.has('stream lag') ? this.#lag : 0;
      if (late > 0) this.#faultInjector.count('stream lag');
      // A little longer than the batching window (infra/stream-consumer.ts).
      await this.#scheduler.sleep(apart + late + random.between(200, 1_800) + Math.min(60_000, failures * 1_000));
      const batch = follower.queue.slice(0, size);
      const done = await this.#deliver(name, batch, random).catch(() => undefined);
      if (done === undefined || done === 0) {
        failures += 1;
        if (done === undefined) size = Math.max(1, Math.floor(size / 2));
        if (batch.length === 1 && failures >= maxAttempts) this.#giveUp(name, follower);
        continue;
      }
      [size, failures] = [Math.min(this.batchSize, size * 2), 0];
      follower.queue.splice(0, done);
      if (this.#faultInjector.occurs('redelivery', 0.05, random))
        await this.#deliver(name, batch, random).catch(() => {});
    }
    follower.isBusy = false;
  }

  /** Delivers a batch; answers how many of its records are processed. */
  async #deliver(name: ConsumerName, batch: readonly StreamRecord[], random: Random): Promise<number> {
    if (this.isHeld) return 0;
    return this.#fleet.invoke(random, this.#faultInjector.decideBy(random), async ({ consumers }) => {
      const { handler, wants } = consumers[name];
      const Records = batch.filter(wants);
      if (Records.length === 0) return batch.length;
      const { batchItemFailures } = await handler({ Records });
      const [first] = batchItemFailures;
      if (first === undefined) return batch.length;
      return batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === first.itemIdentifier);
    });
  }

  #giveUp(name: ConsumerName, { queue }: ShardConsumer): void {
    this.abandoned.push(`${name} gave up ${JSON.stringify(queue[0]?.dynamodb.Keys)}`);
    queue.shift();
  }
}

const isBefore = (one: StreamRecord, other: StreamRecord) =>
  BigInt(one.dynamodb.SequenceNumber) < BigInt(other.dynamodb.SequenceNumber);

/** Chooses the shard of a record by its partition, so that records of one partition stay in order. */
function hashOf({ dynamodb: { Keys } }: StreamRecord): number {
  const text = Keys['PK']?.S ?? '';
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash;
}
