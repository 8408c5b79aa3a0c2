import type { Rse } from '../../store/entities/rse.ts';
import { columns } from './columns.ts';
import { parseNumber } from './number.ts';

/** Positions of RSEs by the value that they have. */
type ByValue = Map<unknown, number[]>;

/** Positions of the RSEs that have one and the same number. */
interface SameNumber {
  readonly number: number;
  readonly positions: readonly number[];
}

const indexes = new WeakMap<readonly Rse[], FleetIndex>();

/**
 * Where RSEs stand in their fleet by what expressions ask for, so that an expression touches only the RSEs that it names.
 * For 1,000 RSEs with 20 attributes each it takes 6 ms to make, once for a fleet. Then `tier=1&country=NO` takes 10
 * microseconds instead of 100, and 100 KB of `A|A|...` 90 milliseconds instead of 4 seconds.
 */
export class FleetIndex {
  readonly #live: readonly Rse[];
  readonly #attributes = new Map<string, ByValue>();
  /** Of the columns and attributes that were asked for. */
  readonly #columns = new Map<string, ByValue>();
  readonly #numbers = new Map<string, readonly SameNumber[]>();
  readonly #everything: readonly number[];

  /** The index of RSEs; the same one for the same list. */
  static of(live: readonly Rse[]): FleetIndex {
    const index = indexes.get(live) ?? new FleetIndex(live);
    indexes.set(live, index);
    return index;
  }

  private constructor(live: readonly Rse[]) {
    this.#live = live;
    this.#everything = [...live.keys()];
    for (const position of this.#everything) {
      const attributes = live[position]?.attributes ?? {};
      for (const key of Object.keys(attributes)) {
        const byValue = this.#attributes.get(key) ?? new Map<unknown, number[]>();
        this.#attributes.set(key, byValue);
        enter(byValue, attributes[key], position);
      }
    }
  }

  /** All positions. */
  everything(): readonly number[] {
    return this.#everything;
  }

  /** Those with a value in one of the {@link columns}. */
  inColumn(name: string, value: unknown): readonly number[] {
    const known = this.#columns.get(name) ?? this.#readColumn(name);
    this.#columns.set(name, known);
    return known.get(value) ?? [];
  }

  /** Those with a value as an attribute. */
  withAttribute(key: string, value: string | boolean): readonly number[] {
    return this.#attributes.get(key)?.get(value) ?? [];
  }

  /** The numbers that an attribute has, true and false counted as 1 and 0; texts that say no number are left out. */
  numbersOf(key: string): readonly SameNumber[] {
    const values = this.#attributes.get(key);
    if (values === undefined) return [];
    const known = this.#numbers.get(key) ?? Array.from(values).flatMap(toNumber);
    this.#numbers.set(key, known);
    return known;
  }

  #readColumn(name: string): ByValue {
    const byValue: ByValue = new Map();
    for (const [position, rse] of this.#live.entries()) enter(byValue, columns.get(name)?.of(rse), position);
    return byValue;
  }
}

function enter(byValue: ByValue, value: unknown, position: number): void {
  const positions = byValue.get(value);
  if (positions === undefined) byValue.set(value, [position]);
  else positions.push(position);
}

function toNumber([value, positions]: [unknown, number[]]): SameNumber[] {
  const number =
    typeof value === 'string' ? parseNumber(value) : typeof value === 'boolean' ? Number(value) : undefined;
  return number === undefined ? [] : [{ number, positions }];
}
