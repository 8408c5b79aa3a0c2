import type { Key } from '../keys/key-parts.ts';
import type { Item, Patch } from './item.ts';

/** Puts an item that must not be there yet. */
export interface Insert {
  readonly kind: 'insert';
  readonly item: Item;
  /** What the caller is told when the item is there already. */
  readonly onExists: (existing: Item) => Error;
}

/** Changes an item that must be there. */
export interface Change {
  readonly kind: 'change';
  readonly key: Key;
  readonly patch: Patch;
  /** Values that attributes must have; `undefined`: the attribute must be absent. */
  readonly when?: Readonly<Record<string, unknown>>;
  /** Of a DID: its entries in the metadata index are made anew, whatever they are (index-plan.ts). */
  readonly reindex?: true;
  /** Nothing has to change but the revision: in a transaction the item is only looked at. */
  readonly isCheck?: true;
  /**
   * Its condition must hold at the instant at which the plan takes effect, not when a part of the plan was staged before:
   * the change is made by the commit itself.
   */
  readonly isExact?: true;
  /** What the caller is told when the item is not there, or not as `when` says. */
  readonly onMismatch: (existing: Item | undefined) => Error;
}

/** One write of a plan. */
export type Write = Insert | Change;

/** Writes that take effect together or not at all; no two of them touch the same item. */
export type Plan = readonly Write[];

/** What an operation decides on: its writes, and what it is going to answer. */
export interface Outcome<T> {
  readonly writes: Plan;
  readonly answer: T;
}

/** The key of the item that a write touches. */
export function keyOf(write: Write): Key {
  const { PK, SK } = write.kind === 'insert' ? write.item : write.key;
  return { PK, SK };
}

/** A write met a bulk request that is still under way; the whole operation is to be tried again. */
export class Collision extends Error {
  readonly batch: string;
  /** Where it was met. */
  readonly key: Key;

  constructor(batch: string, { PK, SK }: Key) {
    super(`met the unfinished bulk request ${batch}`);
    this.name = 'Collision';
    this.batch = batch;
    this.key = { PK, SK };
  }
}

/** Another writer got in between; the whole operation is to be tried again. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
  /** Where it was lost, as far as that is known. */
  key: Key | undefined;

  /** Notes where it was lost. */
  at({ PK, SK }: Key): this {
    this.key ??= { PK, SK };
    return this;
  }
}

/** The same plan may be carried out a moment later: nothing was wrong with it but that others wrote at the same time. */
export class Contended extends LostRace {}
