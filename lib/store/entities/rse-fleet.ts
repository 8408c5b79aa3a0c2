import type { Table } from '../batches/table.ts';
import { getFleetVersion, listRses, type Rse } from './rse.ts';

/** All RSEs at a moment. */
export interface Fleet {
  /** In name order, disabled ones included. */
  readonly all: readonly Rse[];
  /** In name order. */
  readonly live: readonly Rse[];
  /** Disabled ones included. */
  readonly byId: ReadonlyMap<string, Rse>;
  /** Disabled ones included. */
  readonly byName: ReadonlyMap<string, Rse>;
}

interface Remembered {
  readonly version: number | undefined;
  readonly fleet: Promise<Fleet>;
}

/** By the name of the table. */
const remembered = new Map<string, Remembered>();

/** By the request that asked. */
const found = new WeakMap<Table, Promise<Fleet>>();

/**
 * The fleet as it is in the table now; for whoever asks again through the same view, as it was then. A process that has
 * read it before asks only whether anything has changed since: one read of one unit. Otherwise one strongly consistent
 * query reads all of it.
 */
export function getFleet(table: Table): Promise<Fleet> {
  const fleet = found.get(table) ?? findFleet(table);
  found.set(table, fleet);
  fleet.catch(() => found.delete(table));
  return fleet;
}

async function findFleet(table: Table): Promise<Fleet> {
  const version = await getFleetVersion(table.latest());
  const known = remembered.get(table.name);
  if (known !== undefined && known.version === version) return known.fleet;
  // Read after its version: what changes in between raises the version, and the next request reads anew.
  const fleet = readFleet(table.latest());
  remembered.set(table.name, { version, fleet });
  fleet.catch(() => remembered.delete(table.name));
  return fleet;
}

/** The fleet read anew, by one strongly consistent query, whatever is remembered. */
export async function readFleet(table: Table): Promise<Fleet> {
  const rses = await Array.fromAsync(listRses(table));
  const all = rses.toSorted((a, b) => (a.rse < b.rse ? -1 : 1));
  return {
    all,
    live: all.filter(({ deletedAt }) => deletedAt === undefined),
    byId: new Map(all.map((rse) => [rse.id, rse])),
    byName: new Map(all.map((rse) => [rse.rse, rse])),
  };
}
