import { parsePythonFloat } from '../../python/float.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { rseColumns } from './rse-columns.ts';
import { RseSet } from './rse-set.ts';
import { RsesInOrder } from './rses-in-order.ts';

/** RSEs by the value that they have. */
type ByValue = Map<unknown, RsesOfValue>;

/** The RSEs of an attribute in the order of its numbers, and in the order of the numbers with the opposite sign. */
interface Orders {
  readonly rising: RsesInOrder;
  readonly falling: RsesInOrder;
}

const indexes = new WeakMap<readonly Rse[], FleetIndex>();

/**
 * Sets of RSEs of a fleet by attribute and column, so that an expression reads only matching RSEs, and a primitive takes as
 * many steps as a set has words. Built once per fleet: for 1,000 RSEs with 20 attributes each in 6 ms.
 */
export class FleetIndex {
  readonly #live: readonly Rse[];
  readonly #attributes = new Map<string, ByValue>();
  /** RSEs by the value of a column, for each column that was asked for. */
  readonly #rseColumns = new Map<string, ByValue>();
  /** RSEs in the order of an attribute, for each attribute that was asked for. */
  readonly #orders = new Map<string, Orders>();
  readonly #everything: RseSet;
  readonly #nothing: RseSet;

  /** The index of a list of RSEs, built on its first use. */
  static of(live: readonly Rse[]): FleetIndex {
    const index = indexes.get(live) ?? new FleetIndex(live);
    indexes.set(live, index);
    return index;
  }

  private constructor(live: readonly Rse[]) {
    this.#live = live;
    this.#nothing = RseSet.ofNone(live.length);
    this.#everything = this.#nothing.with([...live.keys()]);
    for (const [position, { attributes }] of live.entries()) {
      for (const key of Object.keys(attributes)) {
        const byValue: ByValue = this.#attributes.get(key) ?? new Map();
        this.#attributes.set(key, byValue);
        addPosition(byValue, attributes[key], position);
      }
    }
  }

  /** All RSEs. */
  everything(): RseSet {
    return this.#everything;
  }

  /** No RSE. */
  nothing(): RseSet {
    return this.#nothing;
  }

  /** The RSEs with a value in one of the {@link rseColumns}. */
  inColumn(name: string, value: unknown): RseSet {
    const known = this.#rseColumns.get(name) ?? this.#readColumn(name);
    this.#rseColumns.set(name, known);
    return this.#ofValue(known, value);
  }

  /** The RSEs with a value of an attribute. */
  withAttribute(key: string, value: string | boolean): RseSet {
    return this.#ofValue(this.#attributes.get(key), value);
  }

  /** The RSEs where an attribute is a number below or above a bound; true and false are 1 and 0. */
  beyond(key: string, comparator: '<' | '>', bound: number): RseSet {
    const values = this.#attributes.get(key);
    if (values === undefined) return this.#nothing;
    const known = this.#orders.get(key) ?? this.#sort(values);
    this.#orders.set(key, known);
    return comparator === '<' ? known.rising.below(bound) : known.falling.below(-bound);
  }

  #ofValue(byValue: ByValue | undefined, value: unknown): RseSet {
    return byValue?.get(value)?.toSet(this.#nothing) ?? this.#nothing;
  }

  #readColumn(name: string): ByValue {
    const byValue: ByValue = new Map();
    for (const [position, rse] of this.#live.entries()) addPosition(byValue, rseColumns.get(name)?.of(rse), position);
    return byValue;
  }

  #sort(values: ByValue): Orders {
    const numbered = Array.from(values).flatMap(([value, { positions }]) => {
      const number = toNumber(value);
      return Number.isNaN(number) ? [] : positions.map((position) => ({ number, position }));
    });
    const opposite = numbered.map(({ number, position }) => ({ number: -number, position }));
    return { rising: new RsesInOrder(this.#nothing, numbered), falling: new RsesInOrder(this.#nothing, opposite) };
  }
}

/** The RSEs with the same value. */
class RsesOfValue {
  readonly positions: number[] = [];
  #set: RseSet | undefined;

  /**
   * Keeps the set if it took more steps than to combine it: 32 sets of an attribute at most.
   *
   * @param nothing The set of no RSE of the fleet.
   */
  toSet(nothing: RseSet): RseSet {
    if (this.#set !== undefined) return this.#set;
    const set = nothing.with(this.positions);
    if (this.positions.length > nothing.words) this.#set = set;
    return set;
  }
}

function addPosition(byValue: ByValue, value: unknown, position: number): void {
  const rses = byValue.get(value) ?? new RsesOfValue();
  byValue.set(value, rses);
  rses.positions.push(position);
}

/** The number of an attribute's value; not-a-number for one that has none. */
function toNumber(value: unknown): number {
  if (typeof value === 'boolean') return Number(value);
  return (typeof value === 'string' ? parsePythonFloat(value) : undefined) ?? Number.NaN;
}
