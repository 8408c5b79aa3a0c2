import type { ServiceModule } from './bundle.ts';
import type { Trouble } from './faults.ts';
import type { Fleet } from './fleet.ts';
import type { Random } from './random.ts';
import type { StreamRecord } from './records.ts';
import type { Scheduler } from './scheduler.ts';

type ConsumerName = keyof ServiceModule['consumers'];

/** Attempts after which a record is given up. */
const mostAttempts = 100;

/** A consumer of one shard: records in their order, each again until it is done with. */
class Follower {
  readonly queue: StreamRecord[] = [];
  isBusy = false;
  heldUntil = 0;
}

/** The stream of the table and what follows it, as Lambda's event source mappings do. */
export class Stream {
  /** Records that were given up, as texts. */
  readonly givenUp: string[] = [];
  /** Records that are delivered at once, at most. */
  batchSize = 100;
  readonly #followers: readonly { readonly name: ConsumerName; readonly shards: readonly Follower[] }[];
  readonly #scheduler: Scheduler;
  readonly #fleet: Fleet;
  readonly #trouble: Trouble;
  readonly #random: Random;
  #invocations = 0;

  constructor(scheduler: Scheduler, fleet: Fleet, trouble: Trouble, random: Random) {
    this.#scheduler = scheduler;
    this.#fleet = fleet;
    this.#trouble = trouble;
    this.#random = random;
    const shardCount = 2 + random.fork('shards').below(3);
    const shards = () => Array.from({ length: shardCount }, () => new Follower());
    this.#followers = (['consume-stream', 'follow-up-stream'] as const).map((name) => ({ name, shards: shards() }));
  }

  get isQuiet(): boolean {
    return this.#followers.every(({ shards }) => shards.every(({ queue, isBusy }) => !isBusy && queue.length === 0));
  }

  /** Adds what has been written. */
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

  async #follow(name: ConsumerName, follower: Follower): Promise<void> {
    follower.isBusy = true;
    for (let size = this.batchSize, failures = 0; follower.queue.length > 0;) {
      const random = this.#random.fork((this.#invocations += 1));
      const apart = this.#trouble.strikes('shard delay', 0.01, random) ? 10 ** random.between(4, 6.5) : 0;
      // As long as records are gathered (infra/stream-consumer.ts), and somewhat more.
      await this.#scheduler.sleep(apart + random.between(200, 1_800) + Math.min(60_000, failures * 1_000));
      const batch = follower.queue.slice(0, size);
      const done = await this.#deliver(name, batch, random).catch(() => undefined);
      if (done === undefined || done === 0) {
        failures += 1;
        if (done === undefined) size = Math.max(1, Math.floor(size / 2));
        if (batch.length === 1 && failures >= mostAttempts) this.#giveUp(name, follower);
        continue;
      }
      [size, failures] = [Math.min(this.batchSize, size * 2), 0];
      follower.queue.splice(0, done);
      if (this.#trouble.strikes('redelivery', 0.05, random)) await this.#deliver(name, batch, random).catch(() => {});
    }
    follower.isBusy = false;
  }

  /** Hands records over; answers how many of them are done with. */
  async #deliver(name: ConsumerName, batch: readonly StreamRecord[], random: Random): Promise<number> {
    return this.#fleet.invoke(random, this.#trouble.decideBy(random), async ({ consumers }) => {
      const { handler, wants } = consumers[name];
      const Records = batch.filter(wants);
      if (Records.length === 0) return batch.length;
      const { batchItemFailures } = await handler({ Records });
      const [first] = batchItemFailures;
      if (first === undefined) return batch.length;
      return batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === first.itemIdentifier);
    });
  }

  #giveUp(name: ConsumerName, { queue }: Follower): void {
    this.givenUp.push(`${name} gave up ${JSON.stringify(queue[0]?.dynamodb.Keys)}`);
    queue.shift();
  }
}

/** Decides on the shard of a record: those of one partition come in their order. */
function hashOf({ dynamodb: { Keys } }: StreamRecord): number {
  const text = Keys['PK']?.S ?? '';
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash;
}
