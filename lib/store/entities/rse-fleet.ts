import { cachePerTable } from '../../cache.ts';
import type { Table } from '../batches/table.ts';
import { getFleetVersion, listRses, type Rse } from './rse.ts';

/** A snapshot of all RSEs. */
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

/** The last version of the fleet, by its number. It never expires: a change of the fleet raises the number. */
const fleetsOf = cachePerTable<Fleet>({ ttlMs: Number.POSITIVE_INFINITY, maxEntries: 1 });

/** The fleet that a view has read: one view never sees two. */
const fleetOfView = new WeakMap<Table, Promise<Fleet>>();

/**
 * The fleet as it is in the table now, or as the same view has read it before. Costs one read of one unit while the
 * cached version is the current one, else one strongly consistent query for all of it.
 */
export function getFleet(table: Table): Promise<Fleet> {
  const fleet = fleetOfView.get(table) ?? revalidateFleet(table);
  fleetOfView.set(table, fleet);
  fleet.catch(() => fleetOfView.delete(table));
  return fleet;
}

async function revalidateFleet(table: Table): Promise<Fleet> {
  const version = await getFleetVersion(table.latest());
  // The version is read first: a change between the two reads raises it, and the next request reads the fleet again.
  return fleetsOf(table).getOrLoad(String(version), () => readFleet(table.latest()));
}

/** The fleet, past the cache, by one strongly consistent query. */
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
