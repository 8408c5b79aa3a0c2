import { addIntegers, type Integer, parseInteger } from '../../lib/integer.ts';
import { parseNamed } from '../../lib/json-names.ts';

/**
 * Counts made while rows are read, by kind and place:
 *
 * - `rse`, id: the replicas on an RSE;
 * - `account`, account, id: the locks that an account is charged for on an RSE;
 * - `lock`, rule id, state: locks of a rule that were left out, below 0;
 * - `rules`, subscription id, state: the rules of a subscription;
 * - `subscription`, id, account, name: 1.
 *
 * Each range keeps its own; the sum over all ranges is what the table needs.
 */
export type Sums = Readonly<Record<string, readonly [count: string, bytes: string]>>;

/** The place of a sum. */
export type SumPlace =
  | readonly ['rse', string]
  | readonly ['account', string, string]
  | readonly ['lock', string, string]
  | readonly ['rules', string, string]
  | readonly ['subscription', string, string, string];

/** A count and its bytes. */
export interface Sum {
  readonly count: Integer;
  readonly bytes: Integer;
}

const nothing: Sum = { count: 0, bytes: 0 };

/** Sums that are being added up. */
export class SumMap {
  readonly #sums = new Map<string, Sum>();

  add(place: SumPlace, count: Integer, bytes: Integer = 0): void {
    this.#addTo(JSON.stringify(place), { count, bytes });
  }

  addAll(sums: Sums): void {
    for (const [place, [count, bytes]] of Object.entries(sums)) {
      this.#addTo(place, { count: parseInteger(count), bytes: parseInteger(bytes) });
    }
  }

  clear(): void {
    this.#sums.clear();
  }

  get(place: SumPlace): Sum {
    return this.#sums.get(JSON.stringify(place)) ?? nothing;
  }

  *[Symbol.iterator](): Generator<readonly [SumPlace, Sum]> {
    for (const [place, sum] of this.#sums) yield [parseNamed(place) as SumPlace, sum];
  }

  toJSON(): Sums {
    return Object.fromEntries(
      Array.from(this.#sums, ([place, { count, bytes }]) => [place, [String(count), String(bytes)] as const]),
    );
  }

  #addTo(place: string, { count, bytes }: Sum): void {
    const { count: before, bytes: bytesBefore } = this.#sums.get(place) ?? nothing;
    this.#sums.set(place, { count: addIntegers(before, count), bytes: addIntegers(bytesBefore, bytes) });
  }
}
