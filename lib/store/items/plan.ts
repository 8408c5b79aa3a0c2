import { type Key, textOfKey } from '../keys/key-parts.ts';
import type { Item, Patch } from './item.ts';

/** Options of every write that can be staged. */
interface Counted {
  /** Not counted in the size of the plan, which decides between a transaction and a staged commit: for many small copies. */
  readonly isUncounted?: true;
}

/** Puts an item that must not exist yet. */
export interface Insert extends Counted {
  readonly kind: 'insert';
  readonly item: Item;
  /** Makes the error for an item that already exists. */
  readonly onExists: (existing: Item) => Error;
}

/** Changes an item that must exist. */
export interface Change extends Counted {
  readonly kind: 'change';
  readonly key: Key;
  readonly patch: Patch;
  /** Values that attributes must have; `undefined`: the attribute must be absent. */
  readonly when?: Readonly<Record<string, unknown>>;
  /** Rebuilds all entries of a DID in the metadata index, whatever has changed (index-plan.ts). */
  readonly reindex?: true;
  /** Only the conditions matter: a transaction checks them and changes nothing, a single write raises the revision. */
  readonly isCheck?: true;
  /**
   * The condition must hold when the plan takes effect, not when it was staged: the commit itself makes the change.
   */
  readonly isExact?: true;
  /** Makes the error for an item that is missing, or does not meet `when`. */
  readonly onMismatch: (existing: Item | undefined) => Error;
}

/** Requires that an item does not exist at the moment at which the plan takes effect; changes nothing. */
export interface Absence {
  readonly kind: 'absence';
  readonly key: Key;
  /** Makes the error for an item that exists. */
  readonly onExists: (existing: Item | undefined) => Error;
}

/** A write that can be staged before its plan takes effect. */
export type StagedWrite = Insert | Change;

/** One write of a plan, or a condition on an item that it does not write. */
export type Write = StagedWrite | Absence;

/** Writes that take effect together or not at all; no two of them touch the same item. */
export type Plan = readonly Write[];

/** Decision of an operation: its writes and its answer. */
export interface Outcome<T> {
  readonly writes: Plan;
  readonly answer: T;
}

/** The key of the item that a write touches. */
export function keyOf(write: Write): Key {
  const { PK, SK } = write.kind === 'insert' ? write.item : write.key;
  return { PK, SK };
}

/** Selects the changes whose items no write of a plan touches. */
export function omitTouched(changes: readonly Change[], plan: Plan): Change[] {
  const touched = new Set(plan.map((write) => textOfKey(keyOf(write))));
  return changes.filter(({ key }) => !touched.has(textOfKey(key)));
}

/** A write conflicts with a batch that is not settled. The operation has to be retried. */
export class Collision extends Error {
  readonly batch: string;
  /** The item of the conflict. */
  readonly key: Key;

  constructor(batch: string, { PK, SK }: Key) {
    super(`conflict with the unfinished bulk request ${batch}`);
    this.name = 'Collision';
    this.batch = batch;
    this.key = { PK, SK };
  }
}

/** Another writer changed an item since it was read. The operation has to be retried. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
  /** The item of the conflict, as far as it is known. */
  key: Key | undefined;

  /** Sets the item of the conflict, unless it is set. */
  at({ PK, SK }: Key): this {
    this.key ??= { PK, SK };
    return this;
  }
}

/** Concurrent writes conflicted, but the plan itself may still be valid. */
export class Contended extends LostRace {}

/** Whether an operation gave up because other writers kept it from its items for too long. Nothing was written. */
export function isContention(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof LostRace || cause instanceof Collision;
}
