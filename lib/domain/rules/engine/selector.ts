import { fail } from '../../../errors.ts';
import { addIntegers, type Integer, negate } from '../../../integer.ts';
import { quotaText } from './texts.ts';
import type { Unit } from './unit.ts';

/** What is left, in bytes. */
export type Left = Integer | typeof Number.POSITIVE_INFINITY;

/** An RSE that a rule may be placed on, with what the account may still put there. */
export interface Candidate {
  readonly rseId: string;
  readonly weight: number;
  quotaLeft: Left;
  readonly spaceLeft: Left;
  /** What is left of each limit on an expression that has the RSE. */
  globalsLeft: readonly Left[];
}

/** Which RSEs are taken first. */
export interface Preference {
  /** Absent: those that hold most of the unit. */
  readonly rseIds?: readonly string[];
  /** In their order; else by their weights. */
  readonly inOrder: boolean;
}

/**
 * Chooses RSEs for the files of a rule, or of several rules of one account: what is chosen counts against the quota of
 * what is chosen next (spec/replication.md 3.2).
 */
export class Selector {
  readonly #candidates: readonly Candidate[];
  readonly #copies: number;
  readonly #random: () => number;

  /** @param random A number from 0 to 1, 1 excluded. */
  constructor(candidates: readonly Candidate[], copies: number, random: () => number = Math.random) {
    this.#candidates = candidates;
    this.#copies = copies;
    this.#random = random;
  }

  /**
   * As many different RSEs for a unit as the rule wants copies.
   *
   * @throws InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit (409).
   */
  select({ size, held, blocked }: Unit, preference: Preference): string[] {
    const enough = (rses: readonly Candidate[]) => rses.length >= this.#copies;
    const free = this.#candidates.filter(({ rseId }) => !blocked.has(rseId));
    if (!enough(free)) {
      fail('InsufficientTargetRSEs', 'There are not enough target RSEs to fulfil the request at this time.');
    }
    const roomy = free.filter(({ rseId, spaceLeft }) => spaceLeft >= minus(size, held.get(rseId) ?? 0));
    if (!enough(roomy)) {
      fail('RSEOverQuota', "There is insufficient space on any of the target RSE's to fulfill the operation.");
    }
    let affordable = roomy.filter((candidate) => affords(candidate, size));
    if (!enough(affordable)) fail('InsufficientAccountLimit', quotaText);
    const preferred = preference.rseIds ?? mostFirst(held);
    const chosen: string[] = [];
    while (chosen.length < this.#copies) {
      const found = new Map(affordable.map((candidate) => [candidate.rseId, candidate]));
      const first = preferred.flatMap((rseId) => found.get(rseId) ?? []);
      const next =
        preference.inOrder && first[0] !== undefined ? first[0] : this.#pick(first.length > 0 ? first : affordable);
      charge(next, size);
      chosen.push(next.rseId);
      affordable = affordable.filter((candidate) => candidate !== next);
    }
    return chosen;
  }

  /**
   * Makes sure that the account may put so many bytes on as many RSEs as the rule wants copies.
   *
   * @throws InsufficientAccountLimit (409).
   */
  requireQuota(size: Integer): void {
    const affordable = this.#candidates.filter((candidate) => affords(candidate, size));
    if (affordable.length < this.#copies) fail('InsufficientAccountLimit', quotaText);
  }

  /** One of several, at random by their weights. */
  #pick(candidates: readonly Candidate[]): Candidate {
    const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
    let pick = this.#random() * total;
    for (const candidate of candidates) {
      pick -= candidate.weight;
      if (pick < 0) return candidate;
    }
    // Weights that add up to nothing say nothing.
    return candidates[Math.floor(this.#random() * candidates.length)] as Candidate;
  }
}

function affords({ quotaLeft, globalsLeft }: Candidate, size: Integer): boolean {
  return quotaLeft > size && globalsLeft.every((left) => left >= size);
}

function charge(candidate: Candidate, size: Integer): void {
  candidate.quotaLeft = minus(candidate.quotaLeft, size);
  candidate.globalsLeft = candidate.globalsLeft.map((left) => minus(left, size));
}

function minus(left: Left, size: Integer): Left {
  return left === Number.POSITIVE_INFINITY ? left : addIntegers(left, negate(size));
}

function mostFirst(held: Unit['held']): string[] {
  const order = [...held].toSorted(([, a], [, b]) => (a === b ? 0 : a > b ? -1 : 1));
  return order.map(([rseId]) => rseId);
}
