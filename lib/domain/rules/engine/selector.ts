import { fail } from '../../../errors.ts';
import { addIntegers, type Integer, negate } from '../../../integer.ts';
import { insufficientQuota } from './messages.ts';
import type { Unit } from './unit.ts';

/** Remaining quota or space, in bytes. */
export type Remaining = Integer | typeof Number.POSITIVE_INFINITY;

/** An RSE on which a rule may be placed, with the remaining quota and space. */
export interface Candidate {
  readonly rseId: string;
  readonly weight: number;
  quotaLeft: Remaining;
  readonly spaceLeft: Remaining;
  /** The remaining quota of each limit on an expression that includes the RSE. */
  globalsLeft: readonly Remaining[];
}

/** Which RSEs are preferred. */
export interface Preference {
  /** Absent: those that hold most bytes of the unit. */
  readonly rseIds?: readonly string[];
  /** Whether they are taken in their order; otherwise at random by their weights. */
  readonly inOrder: boolean;
}

/**
 * Selects RSEs for the files of a rule, or of several rules of one account. Each choice reduces the quota for the next
 * one (spec/replication.md 3.2).
 */
export class Selector {
  readonly #candidates: readonly Candidate[];
  readonly #copies: number;
  readonly #random: () => number;

  /** @param random Returns a number from 0 (included) to 1 (excluded). */
  constructor(candidates: readonly Candidate[], copies: number, random: () => number = Math.random) {
    this.#candidates = candidates;
    this.#copies = copies;
    this.#random = random;
  }

  /**
   * Selects one RSE for each copy of a unit, all different.
   *
   * @throws InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit (409).
   */
  select({ size, held, blocked }: Unit, preference: Preference): string[] {
    const enough = (rses: readonly Candidate[]) => rses.length >= this.#copies;
    const usable = this.#candidates.filter(({ rseId }) => !blocked.has(rseId));
    if (!enough(usable)) {
      fail('InsufficientTargetRSEs', 'There are not enough target RSEs to fulfil the request at this time.');
    }
    const withSpace = usable.filter(({ rseId, spaceLeft }) => spaceLeft >= subtract(size, held.get(rseId) ?? 0));
    if (!enough(withSpace)) {
      fail('RSEOverQuota', "There is insufficient space on any of the target RSE's to fulfill the operation.");
    }
    let affordable = withSpace.filter((candidate) => affords(candidate, size));
    if (!enough(affordable)) fail('InsufficientAccountLimit', insufficientQuota);
    const preferred = preference.rseIds ?? sortByHeldBytes(held);
    const chosen: string[] = [];
    while (chosen.length < this.#copies) {
      const found = new Map(affordable.map((candidate) => [candidate.rseId, candidate]));
      const first = preferred.flatMap((rseId) => found.get(rseId) ?? []);
      const next =
        preference.inOrder && first[0] !== undefined ? first[0] : this.#pick(first.length > 0 ? first : affordable);
      chargeQuota(next, size);
      chosen.push(next.rseId);
      affordable = affordable.filter((candidate) => candidate !== next);
    }
    return chosen;
  }

  /**
   * Requires quota for a number of bytes on as many RSEs as the rule has copies.
   *
   * @throws InsufficientAccountLimit (409).
   */
  requireQuota(size: Integer): void {
    const affordable = this.#candidates.filter((candidate) => affords(candidate, size));
    if (affordable.length < this.#copies) fail('InsufficientAccountLimit', insufficientQuota);
  }

  /** Picks one candidate at random by weight. */
  #pick(candidates: readonly Candidate[]): Candidate {
    const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
    let pick = this.#random() * total;
    for (const candidate of candidates) {
      pick -= candidate.weight;
      if (pick < 0) return candidate;
    }
    // All weights are 0: pick with equal chances.
    return candidates[Math.floor(this.#random() * candidates.length)] as Candidate;
  }
}

function affords({ quotaLeft, globalsLeft }: Candidate, size: Integer): boolean {
  return quotaLeft > size && globalsLeft.every((left) => left >= size);
}

function chargeQuota(candidate: Candidate, size: Integer): void {
  candidate.quotaLeft = subtract(candidate.quotaLeft, size);
  candidate.globalsLeft = candidate.globalsLeft.map((left) => subtract(left, size));
}

function subtract(left: Remaining, size: Integer): Remaining {
  return left === Number.POSITIVE_INFINITY ? left : addIntegers(left, negate(size));
}

function sortByHeldBytes(held: Unit['held']): string[] {
  const order = [...held].toSorted(([, a], [, b]) => (a === b ? 0 : a > b ? -1 : 1));
  return order.map(([rseId]) => rseId);
}
