import type { Item } from '../src/values/attribute-value.ts';
import { itemSize } from '../src/values/size.ts';
import { identify, isObject } from './normalise.ts';
import type { Body } from './request.ts';
import type { Effect } from './settle.ts';
import { type JudgedIndex, type JudgedTable, keyNames, tables } from './tables.ts';

/**
 * The expected cost of requests, computed from their effects on items:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */

/** Units that a request consumes of a table and its indexes. */
export interface Units {
  table: number;
  readonly indexes: Map<string, number>;
}

/** Units by the name of the table. */
export type Costs = ReadonlyMap<string, Units>;

const readBlockBytes = 4096;
const writeBlockBytes = 1024;
const blocks = (bytes: number, block: number) => Math.max(1, Math.ceil(bytes / block));

/** Units of an eventually consistent read. */
export const readUnits = (bytes: number) => blocks(bytes, readBlockBytes) / 2;

/** Bytes of an item; 0 if it does not exist. */
export const sizeOf = (item: Item | undefined) => (item === undefined ? 0 : itemSize(item));

/** Adds up the costs of effects. */
function addUp(effects: readonly Effect[], add: (units: Units, table: JudgedTable, effect: Effect) => void): Costs {
  const costs = new Map<string, Units>();
  for (const effect of effects) {
    const table = tables.find(({ name }) => name === effect.table);
    if (table === undefined) continue;
    const units = costs.get(table.name) ?? { table: 0, indexes: new Map<string, number>() };
    costs.set(table.name, units);
    add(units, table, effect);
  }
  return costs;
}

/**
 * The cost of writes and checks.
 *
 * @param factor 2 for a transaction.
 */
export function costsOfWrites(effects: readonly Effect[], factor: number): Costs {
  return addUp(effects, (units, table, { intent, before, left: after }) => {
    units.table += factor * blocks(Math.max(sizeOf(before), sizeOf(after)), writeBlockBytes);
    if (intent === 'check' || identify(before) === identify(after)) return;
    for (const index of table.indexes) {
      const written = factor * unitsOfIndex(table, index, before, after);
      if (written > 0) units.indexes.set(index.name, (units.indexes.get(index.name) ?? 0) + written);
    }
  });
}

/** The cost of a repeated transaction: it reads the items. */
export function costsOfRepeat(effects: readonly Effect[]): Costs {
  return addUp(effects, (units, _table, { left }) => {
    units.table += 4 * readUnits(sizeOf(left));
  });
}

function unitsOfIndex(
  table: JudgedTable,
  index: JudgedIndex,
  before: Item | undefined,
  after: Item | undefined,
): number {
  const [old, next] = [entryOf(table, index, before), entryOf(table, index, after)];
  const [oldUnits, nextUnits] = [old, next].map((entry) =>
    entry === undefined ? 0 : blocks(itemSize(entry.shown), writeBlockBytes),
  ) as [number, number];
  if (old === undefined || next === undefined || old.key !== next.key) return oldUnits + nextUnits;
  return identify(old.shown) === identify(next.shown) ? 0 : Math.max(oldUnits, nextUnits);
}

/** The projection of an item in an index, and its key there; undefined if the item lacks one of the index's keys. */
export function entryOf(
  table: JudgedTable,
  index: JudgedIndex,
  item: Item | undefined,
): { readonly key: string; readonly shown: Item } | undefined {
  const keys = [index.hash.name, index.range.name];
  if (item === undefined || !keys.every((name) => Object.hasOwn(item, name))) return undefined;
  const visible = visibleNames(table, index);
  const shown = Object.entries(item).filter(([name]) => visible === undefined || visible.has(name));
  return { key: identify(keys.map((name) => item[name])), shown: Object.fromEntries(shown) };
}

const maxItemBytes = 409_600;

/** Whether an item is too large only together with its entries in local indexes. */
export function isTooLargeWithEntries({
  table: tableName,
  item,
}: {
  readonly table: string;
  readonly item: Item | undefined;
}): boolean {
  const table = tables.find(({ name }) => name === tableName);
  const local = table?.indexes.filter((index) => index.local) ?? [];
  const entries = table === undefined ? [] : local.map((index) => entryOf(table, index, item)?.shown);
  const bytes = sizeOf(item);
  return bytes <= maxItemBytes && entries.reduce((sum, entry) => sum + sizeOf(entry), bytes) > maxItemBytes;
}

/** The attributes that an index projects; undefined: all. */
export function visibleNames(table: JudgedTable, { hash, range, projection }: JudgedIndex): Set<string> | undefined {
  if (projection['ProjectionType'] === 'ALL') return undefined;
  const others = projection['NonKeyAttributes'];
  return new Set([
    ...keyNames(table, false),
    hash.name,
    range.name,
    ...(Array.isArray(others) ? (others as string[]) : []),
  ]);
}

/** The units in a part of an answer; indexes of a kind are added up. */
export function unitsTold(told: unknown): number | undefined {
  if (told === undefined) return 0;
  if (typeof told === 'number') return told;
  if (!isObject(told)) return undefined;
  if (typeof told['CapacityUnits'] === 'number') return told['CapacityUnits'];
  return Object.values(told).reduce<number>((sum, one) => sum + (unitsTold(one) ?? NaN), 0);
}

const place =
  /^ConsumedCapacity(?:\[(?<at>\d+)\])?(?:\.(?:(?<ofTable>Table)|(?<kind>Global|Local)SecondaryIndexes(?:\.(?<index>\w+))?))?(?:\.CapacityUnits)?$/;

/** The expected units at a path of an answer; undefined if the path has no units. */
export function unitsDue(costs: Costs, path: string, tableName: unknown, answer: Body): number | undefined {
  const found = place.exec(path)?.groups;
  if (found === undefined) return undefined;
  const { at, ofTable, kind, index } = found;
  const told = answer['ConsumedCapacity'];
  const entry: unknown = Array.isArray(told) ? told[Number(at)] : undefined;
  const name = isObject(entry) ? entry['TableName'] : tableName;
  const units = costs.get(String(name));
  if (units === undefined) return undefined;
  if (ofTable !== undefined) return units.table;
  if (kind === undefined) return units.table + sum(units.indexes.values());
  if (index !== undefined) return units.indexes.get(index) ?? 0;
  const indexes = tables.find((table) => table.name === name)?.indexes ?? [];
  return sum(
    indexes.filter(({ local }) => local === (kind === 'Local')).map((one) => units.indexes.get(one.name) ?? 0),
  );
}

/** The costs in the form of an answer, one entry per table. */
export function printCosts(costs: Costs, detail: unknown): Body[] {
  return Array.from(costs, ([name, units]) => printUnits(name, units, detail));
}

function printUnits(tableName: string, { table, indexes }: Units, detail: unknown): Body {
  const total = { TableName: tableName, CapacityUnits: table + sum(indexes.values()) };
  if (detail !== 'INDEXES') return total;
  const ofKind = (isLocal: boolean): Body => {
    const all = tables.find(({ name }) => name === tableName)?.indexes ?? [];
    const written = all.filter(({ local, name }) => local === isLocal && indexes.has(name));
    if (written.length === 0) return {};
    const units = written.map(({ name }) => [name, { CapacityUnits: indexes.get(name) }] as const);
    return { [isLocal ? 'LocalSecondaryIndexes' : 'GlobalSecondaryIndexes']: Object.fromEntries(units) };
  };
  return { ...total, Table: { CapacityUnits: table }, ...ofKind(true), ...ofKind(false) };
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);
