import { fail } from '../../../errors.ts';
import type { Integer } from '../../../integer.ts';
import type { Write } from '../../../store/items/plan.ts';
import { insufficientQuota } from '../../account-limits/insufficient-quota.ts';
import { type Limit, subtract } from './limit.ts';
import type { Unit } from './unit.ts';

/** An RSE on which a rule may be placed, with the remaining quota and space. */
export interface Candidate {
  readonly rseId: string;
  readonly weight: number;
  /** The quota of the account on the RSE. */
  readonly quota: Limit;
  /** The limits of the account on expressions that include the RSE, which other candidates share. */
  readonly globals: readonly Limit[];
  readonly space: Limit;
}

/** Which RSEs are preferred. */
export interface Preference {
  /** Absent: those that hold most bytes of the unit. */
  readonly rseIds?: readonly string[];
  /** Whether they are taken in their order; otherwise at random by their weights. */
  readonly inOrder: boolean;
}

/**
 * Selects RSEs for the files of a rule, or of several rules of one account. Each choice reduces quota and space for the next
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
    const missingOn = (rseId: string) => subtract(size, held.get(rseId) ?? 0);
    const usable = this.#candidates.filter(({ rseId }) => !blocked.has(rseId));
    if (!enough(usable)) {
      fail('InsufficientTargetRSEs', 'There are not enough target RSEs to fulfil the request at this time.');
    }
    const withSpace = usable.filter(({ rseId, space }) => space.left >= missingOn(rseId));
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
      charge(next, size, missingOn(next.rseId));
      chosen.push(next.rseId);
      // Copies share the limits on expressions.
      affordable = affordable.filter((candidate) => candidate !== next && affords(candidate, size));
      if (affordable.length < this.#copies - chosen.length) fail('InsufficientAccountLimit', insufficientQuota);
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

  /**
   * The writes by which the plan that makes all choices since the last call takes turns with others, where it takes much of a
   * limit: none in the usual case.
   */
  turns(): Write[] {
    const limits = new Set(this.#candidates.flatMap(({ quota, globals }) => [quota, ...globals]));
    return [...limits].flatMap((limit) => limit.turn());
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

function affords({ quota, globals }: Candidate, size: Integer): boolean {
  return quota.left > size && globals.every(({ left }) => left >= size);
}

function charge({ quota, globals, space }: Candidate, size: Integer, missing: Integer): void {
  for (const limit of [quota, ...globals]) limit.charge(size);
  space.charge(missing);
}

function sortByHeldBytes(held: Unit['held']): string[] {
  const order = [...held].toSorted(([, a], [, b]) => (a === b ? 0 : a > b ? -1 : 1));
  return order.map(([rseId]) => rseId);
}
