import type { Effect } from './items/mutate.ts';
import type { IndexDefinition, TableDefinition } from './schema/definition.ts';

/**
 * Capacity units as AWS counts them:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */

const readBlockBytes = 4096;
const writeBlockBytes = 1024;

/** Whether a request asks for its consumed capacity, and in which detail. */
export type CapacityDetail = 'NONE' | 'TOTAL' | 'INDEXES';

/** Units of a read; an eventually consistent one costs half. A missing item counts as one block. */
export function readUnits(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / readBlockBytes)) * (isConsistent ? 1 : 0.5);
}

/** Units of a write. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / writeBlockBytes));
}

interface Units {
  read: number;
  write: number;
}

interface TableUnits {
  readonly table: Units;
  readonly indexes: Map<IndexDefinition, Units>;
}

/** The consumed capacity of a request, by table and index. */
export class Consumption {
  readonly #tables = new Map<string, TableUnits>();
  /** Transactions cost twice: prepare and commit. */
  readonly #factor: number;

  constructor({ isTransaction = false } = {}) {
    this.#factor = isTransaction ? 2 : 1;
  }

  /** Adds the units of a read of a table or one of its indexes. */
  addRead({ name }: TableDefinition, units: number, index?: IndexDefinition): void {
    this.#unitsOf(name, index).read += units * this.#factor;
  }

  /** Adds the units of a write of an item. */
  addWrite({ name }: TableDefinition, { size, indexes }: Effect): void {
    this.#unitsOf(name).write += writeUnits(size) * this.#factor;
    for (const { index, sizes } of indexes) {
      const units = this.#unitsOf(name, index);
      for (const bytes of sizes) units.write += writeUnits(bytes) * this.#factor;
    }
  }

  /** The reports of all tables, for requests on several tables; undefined if not requested. */
  list(detail: CapacityDetail | undefined): readonly Record<string, unknown>[] | undefined {
    if (detail === undefined || detail === 'NONE') return undefined;
    return Array.from(this.#tables, ([name, units]) => this.#report(name, units, detail));
  }

  /** The report of the only table of a request; undefined if not requested. */
  single(detail: CapacityDetail | undefined): Record<string, unknown> | undefined {
    if (detail === undefined || detail === 'NONE') return undefined;
    for (const [name, units] of this.#tables) return this.#report(name, units, detail);
    return undefined;
  }

  #unitsOf(table: string, index?: IndexDefinition): Units {
    let units = this.#tables.get(table);
    if (units === undefined) {
      units = { table: { read: 0, write: 0 }, indexes: new Map() };
      this.#tables.set(table, units);
    }
    if (index === undefined) return units.table;
    let ofIndex = units.indexes.get(index);
    if (ofIndex === undefined) {
      ofIndex = { read: 0, write: 0 };
      units.indexes.set(index, ofIndex);
    }
    return ofIndex;
  }

  #report(name: string, { table, indexes }: TableUnits, detail: CapacityDetail): Record<string, unknown> {
    const total = { ...table };
    for (const { read, write } of indexes.values()) {
      total.read += read;
      total.write += write;
    }
    const report = { TableName: name, ...this.#print(total) };
    if (detail === 'TOTAL') return report;
    const ofKind = (kind: IndexDefinition['kind']) => {
      const found = [...indexes].filter(([index]) => index.kind === kind);
      return found.length === 0
        ? undefined
        : Object.fromEntries(found.map(([index, units]) => [index.name, this.#print(units)]));
    };
    return {
      ...report,
      Table: this.#print(table),
      LocalSecondaryIndexes: ofKind('local'),
      GlobalSecondaryIndexes: ofKind('global'),
    };
  }

  /** Transactions also report read and write units separately. */
  #print({ read, write }: Units): Record<string, number> {
    const units = { CapacityUnits: read + write };
    if (this.#factor === 1) return units;
    return {
      ...units,
      ...(read > 0 ? { ReadCapacityUnits: read } : {}),
      ...(write > 0 ? { WriteCapacityUnits: write } : {}),
    };
  }
}
