import { randomBytes } from 'node:crypto';

import { handful, type WriteOptions } from './batches/commit.ts';
import type { Table } from './batches/table.ts';
import { type Claim, findKept, keepAnswer, toKeptAnswer } from './entities/kept-answer.ts';
import type { Item } from './items/item.ts';
import type { Outcome } from './items/plan.ts';
import type { Store } from './open-store.ts';

/** Something was kept under the key of a request before this one could write. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
  /** What lies there; undefined where it has just been forgotten. */
  readonly item: Item | undefined;

  constructor(item: Item | undefined) {
    super('the key of the request is taken');
    this.item = item;
  }
}

/** A bulk request is about to write what is kept under the key. */
export class KeyBusy extends Error {
  override readonly name = 'KeyBusy';
  /** When it is over at the latest, in milliseconds since 1970. */
  readonly until: number;

  constructor(until: number) {
    super('a request with this key is under way');
    this.until = until;
  }
}

/**
 * The store of a request that has a key: what the request answers is kept in the plan that brings its effect about, so
 * that one is there if and only if the other is (docs/adr/0015-idempotency-keys.md).
 *
 * Its methods throw {@link KeyTaken} or {@link KeyBusy} where another request was first, with nothing written.
 */
export class KeyedStore {
  /** What the operation reads and writes through. */
  readonly store: Store;
  readonly #base: Store;
  readonly #claim: Claim;
  /** The stamp of what this request takes the place of. */
  readonly #instead: string | undefined;
  #own: { readonly stamp: string; readonly answer: unknown } | undefined;

  /** @param over The expired answer under the key, if there is one. */
  constructor(base: Store, claim: Claim, over?: { readonly stamp: string }) {
    this.#base = base;
    this.#claim = claim;
    this.#instead = over?.stamp;
    this.store = {
      ...base,
      write: (plan, options) =>
        this.#decide(async (latest) => ({ writes: await plan(latest), answer: undefined }), options),
      decide: (plan, options) => this.#decide(plan, options),
    };
  }

  /** What tells what this request has kept, or else what it takes the place of; undefined: nothing. */
  get stamp(): string | undefined {
    return this.#own?.stamp ?? this.#instead;
  }

  /**
   * Keeps the answer of an operation that had nothing to write.
   *
   * @returns The answer of the request.
   */
  async finish(): Promise<unknown> {
    if (this.#own === undefined) await this.store.write(async () => []);
    return this.#own?.answer;
  }

  async #decide<T>(plan: (latest: Table) => Promise<Outcome<T>>, options: WriteOptions = {}): Promise<T> {
    if (this.#own !== undefined) return this.#base.decide(plan, options);
    const stamp = randomBytes(9).toString('base64url');
    const answer = await this.#base
      .decide((latest) => this.#plan(latest, plan, stamp), { ...options, beside: 1 })
      .catch((error: unknown) => answerOfOwn<T>(error, stamp));
    this.#own = { stamp, answer };
    return answer;
  }

  async #plan<T>(latest: Table, plan: (latest: Table) => Promise<Outcome<T>>, stamp: string): Promise<Outcome<T>> {
    const { writes, answer } = await plan(latest);
    // A transaction finds out by itself; to stage much and give it up is dear.
    if (writes.length > handful) await this.#look(latest);
    const kept = await keepAnswer(this.#claim, Date.now(), {
      stamp,
      answer,
      instead: this.#instead,
      onTaken: (existing) => new KeyTaken(existing),
    });
    return { writes: [kept, ...writes], answer };
  }

  async #look(latest: Table): Promise<void> {
    const { item, busyUntil } = await findKept(latest, this.#claim);
    if (busyUntil !== undefined && busyUntil > Date.now()) throw new KeyBusy(busyUntil);
    if (item !== undefined && item['stamp'] !== this.#instead) throw new KeyTaken(item);
  }
}

/** What a write that was carried out and did not learn of it has answered. */
async function answerOfOwn<T>(error: unknown, stamp: string): Promise<T> {
  if (!(error instanceof KeyTaken) || error.item?.['stamp'] !== stamp) throw error;
  return (await toKeptAnswer(error.item)).answer as T;
}
