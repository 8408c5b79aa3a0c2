import type { Answer } from '../../local/engine/src/transport.ts';

/** Units that a request took. */
export interface RequestCost {
  readonly rru?: number;
  readonly wru?: number;
}

/** The partition of one write of a request. */
export interface WrittenPartition {
  readonly partition: string;
  /** It puts a whole, small item. */
  readonly isInsert: boolean;
}

/** Write units of a partition a second; up to one second's worth of unused units is saved. */
const unitsPerSecond = 1_000;

/**
 * Throttles writes as DynamoDB does, once the units of a partition are used up. The units of a write are known only
 * afterwards, so they are charged then. Partitions of indexes are ignored.
 */
export class PartitionLimit {
  readonly #levels = new Map<string, { units: number; at: number }>();

  /** Whether one of some partitions has no units left. */
  isOver(places: readonly WrittenPartition[], now: number): boolean {
    return places.some(({ partition }) => this.#levelOf(partition, now).units <= 0);
  }

  /** Charges a write. Of several items only the sum is known: the rest after the puts is charged to the others in equal parts. */
  charge(places: readonly WrittenPartition[], units: number, now: number): void {
    const inserts = places.filter(({ isInsert }) => isInsert).length;
    const others = places.length - inserts;
    const ofOther = others === 0 ? 0 : (units - inserts) / others;
    const ofInsert = others === 0 ? units / inserts : 1;
    for (const { partition, isInsert } of places) {
      this.#levelOf(partition, now).units -= isInsert ? ofInsert : ofOther;
    }
  }

  #levelOf(partition: string, now: number): { units: number; at: number } {
    const level = this.#levels.get(partition) ?? { units: unitsPerSecond, at: now };
    level.units = Math.min(unitsPerSecond, level.units + ((now - level.at) * unitsPerSecond) / 1_000);
    level.at = now;
    this.#levels.set(partition, level);
    return level;
  }
}

interface Capacity {
  readonly CapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits?: number };
}

/** Reads the units that an answer reports: of table and indexes, and of the table alone. */
export function readCost({ body }: Answer): { total: number; table: number } {
  const { ConsumedCapacity: report } = JSON.parse(body) as { ConsumedCapacity?: Capacity | readonly Capacity[] };
  const all = (report === undefined ? [] : [report].flat()) as readonly Capacity[];
  const sum = (pick: (one: Capacity) => number | undefined) => all.reduce((total, one) => total + (pick(one) ?? 0), 0);
  return { total: sum((one) => one.CapacityUnits), table: sum((one) => one.Table?.CapacityUnits ?? one.CapacityUnits) };
}
