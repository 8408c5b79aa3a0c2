import { randomBytes } from 'node:crypto';

import { clock } from '../clock.ts';
import { maxTransactionWrites, type WriteOptions } from './batches/commit.ts';
import type { Table } from './batches/table.ts';
import { type Claim, findKeptAnswer, keepAnswer, toKeptAnswer } from './entities/kept-answer.ts';
import type { Item } from './items/item.ts';
import type { Outcome } from './items/plan.ts';
import type { Store } from './open-store.ts';

/** The idempotency key of a request already has a kept answer. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
  /** The kept answer; undefined if it has just expired. */
  readonly item: Item | undefined;

  constructor(item: Item | undefined) {
    super('the idempotency key is taken');
    this.item = item;
  }
}

/** A pending batch writes the answer under the key. */
export class KeyBusy extends Error {
  override readonly name = 'KeyBusy';
  /** The deadline of the batch, in milliseconds since 1970. */
  readonly until: number;

  constructor(until: number) {
    super('a request with this key is under way');
    this.until = until;
  }
}

/**
 * The store of a request with an idempotency key: the answer is kept by the same plan that has the effect, so that both exist
 * or neither (docs/adr/0015-idempotency-keys.md).
 *
 * Its methods throw {@link KeyTaken} or {@link KeyBusy}, with nothing written, where another request was first.
 */
export class KeyedStore {
  /** The store of the operation. */
  readonly store: Store;
  readonly #base: Store;
  readonly #claim: Claim;
  /** The stamp of the expired answer that this request replaces. */
  readonly #replaced: string | undefined;
  #own: { readonly stamp: string; readonly answer: unknown } | undefined;

  /** @param expired The expired answer under the key, if there is one. */
  constructor(base: Store, claim: Claim, expired?: { readonly stamp: string }) {
    this.#base = base;
    this.#claim = claim;
    this.#replaced = expired?.stamp;
    this.store = {
      ...base,
      write: (plan, options) =>
        this.#decide(async (latest) => ({ writes: await plan(latest), answer: undefined }), options),
      decide: (plan, options) => this.#decide(plan, options),
    };
  }

  /** The stamp of the answer that this request has kept, or else of the one that it replaces; undefined: neither. */
  get stamp(): string | undefined {
    return this.#own?.stamp ?? this.#replaced;
  }

  /**
   * Keeps the answer of an operation without writes.
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
      .decide((latest) => this.#plan(latest, plan, stamp), { ...options, uncountedWrites: 1 })
      .catch((error: unknown) => recoverOwnAnswer<T>(error, stamp));
    this.#own = { stamp, answer };
    return answer;
  }

  async #plan<T>(latest: Table, plan: (latest: Table) => Promise<Outcome<T>>, stamp: string): Promise<Outcome<T>> {
    const { writes, answer } = await plan(latest);
    // A transaction checks the key itself. For a staged plan check it first, since a rollback is expensive.
    if (writes.length > maxTransactionWrites) await this.#requireFree(latest);
    const kept = await keepAnswer(this.#claim, clock.now(), {
      stamp,
      answer,
      replaced: this.#replaced,
      onTaken: (existing) => new KeyTaken(existing),
    });
    return { writes: [kept, ...writes], answer };
  }

  async #requireFree(latest: Table): Promise<void> {
    const { item, busyUntil } = await findKeptAnswer(latest, this.#claim);
    if (busyUntil !== undefined && busyUntil > clock.now()) throw new KeyBusy(busyUntil);
    if (item !== undefined && item['stamp'] !== this.#replaced) throw new KeyTaken(item);
  }
}

/** The answer of this request itself, if its write took effect and its confirmation was lost. */
async function recoverOwnAnswer<T>(error: unknown, stamp: string): Promise<T> {
  if (!(error instanceof KeyTaken) || error.item?.['stamp'] !== stamp) throw error;
  return (await toKeptAnswer(error.item)).answer as T;
}
