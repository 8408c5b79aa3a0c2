import type { Table } from '../table.ts';
import { getFleetVersion, getRsesById, listRses, type Rse } from './rse.ts';

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

/**
 * The fleet with the RSEs read anew that were being changed by a bulk request when the fleet was read: for whoever is
 * going to change RSEs. What is remembered does not notice when that request is over.
 */
export async function getSettledFleet(latest: Table): Promise<Fleet> {
  const fleet = await getFleet(latest);
  const unsettled = fleet.all.filter((rse) => rse.unsettled.length > 0);
  if (unsettled.length === 0) return fleet;
  const fresh = await getRsesById(
    latest,
    unsettled.map(({ id }) => id),
  );
  return toFleet([...new Map([...fleet.all, ...fresh].map((rse) => [rse.id, rse])).values()]);
}

async function readFleet(table: Table): Promise<Fleet> {
  return toFleet(await Array.fromAsync(listRses(table)));
}

function toFleet(rses: readonly Rse[]): Fleet {
  const all = rses.toSorted((a, b) => (a.rse < b.rse ? -1 : 1));
  return {
    all,
    live: all.filter(({ deletedAt }) => deletedAt === undefined),
    byId: new Map(all.map((rse) => [rse.id, rse])),
    byName: new Map(all.map((rse) => [rse.rse, rse])),
  };
}
