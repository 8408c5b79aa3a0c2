import { addIntegers, type Integer, negate } from '../../../integer.ts';
import type { Write } from '../../../store/items/plan.ts';

/** Remaining quota or space, in bytes. */
export type Remaining = Integer | typeof Number.POSITIVE_INFINITY;

/** The write that takes the next turn at a limit; `turns`: how many turns were taken since it was read. */
type TakeTurn = (turns: number) => Write;

/**
 * A rule that takes more than this part of the rest of a limit takes turns with others at that limit; one that takes less costs
 * nothing more, and so many at once cannot exceed the limit (docs/adr/0011-rules-on-the-stream.md).
 */
export const turnPart = 128;

/**
 * Rest of a limit, for those who read it together. Each choice reduces it for the next one.
 *
 * A plan that takes much of it takes a turn: it changes the item of the limit on condition that nobody else has taken a turn since
 * the limit was read. So of two such plans at the same time the later one is planned again, with the usage after the earlier one.
 */
export class Limit {
  #left: Remaining;
  /** The rest at the beginning of this plan. */
  #whole: Remaining;
  readonly #takeTurn: TakeTurn | undefined;
  #turns = 0;

  /** @param takeTurn Absent: nobody takes turns at it. */
  constructor(left: Remaining, takeTurn?: TakeTurn) {
    this.#left = left;
    this.#whole = left;
    this.#takeTurn = takeTurn;
  }

  /** In bytes; negative: it is exceeded. */
  get left(): Remaining {
    return this.#left;
  }

  /** Takes a part of it. */
  charge(size: Integer): void {
    this.#left = subtract(this.#left, size);
  }

  /** The write for the plan that makes all choices since the last call, if it takes a turn; none otherwise. */
  turn(): Write[] {
    const whole = this.#whole;
    this.#whole = this.#left;
    if (this.#takeTurn === undefined || !isLarge(whole, this.#left)) return [];
    this.#turns += 1;
    return [this.#takeTurn(this.#turns - 1)];
  }
}

/** Whether so much was taken that others at the same time could together exceed a limit. */
function isLarge(before: Remaining, after: Remaining): boolean {
  if (before === Number.POSITIVE_INFINITY) return false;
  const taken = BigInt(before) - BigInt(after);
  return taken > 0n && taken * BigInt(turnPart) > BigInt(before);
}

/** The rest after a size; nothing reduces an unlimited one. */
export function subtract(left: Remaining, size: Integer): Remaining {
  return left === Number.POSITIVE_INFINITY ? left : addIntegers(left, negate(size));
}
