import { cachePerTable } from '../../cache.ts';
import type { Table } from '../batches/table.ts';
import { getPackedFleet } from './fleet-pack.ts';
import { changedSince, type FleetState, getFleetState, getFleetVersion } from './fleet-version.ts';
import { getRsesById, listRses, type Rse } from './rse.ts';

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

/** A version that copies of the version told, and its fleet: what a later version is made from. */
interface ToldFleet {
  readonly version: number;
  readonly fleet: Fleet;
}

/** The last one, by table. */
const toldFleets = new Map<string, ToldFleet>();

/** The fleet that a view has read: one view never sees two. */
const fleetOfView = new WeakMap<Table, Promise<Fleet>>();

/**
 * The fleet as it is in the table now, or as the same view has read it before. Costs one read of one unit while the
 * cached version is the current one; after a change of few RSEs these beside it; else one strongly consistent query for all.
 */
export function getFleet(table: Table): Promise<Fleet> {
  const fleet = fleetOfView.get(table) ?? revalidateFleet(table.latest());
  fleetOfView.set(table, fleet);
  fleet.catch(() => fleetOfView.delete(table));
  return fleet;
}

/** The version is read first: a change between the reads raises it, and the next request reads again. */
async function revalidateFleet(table: Table): Promise<Fleet> {
  const known = toldFleets.get(table.name);
  const [state, packed] = await Promise.all([
    getFleetState(table),
    known === undefined ? getPackedFleet(table) : undefined,
  ]);
  const { version } = state;
  // A table without copies: no RSE has changed since it was made by an import or by a release that knew none.
  if (version === undefined)
    return fleetsOf(table).getOrLoad(`former ${await getFleetVersion(table)}`, () => readFleet(table));
  return fleetsOf(table).getOrLoad(String(version), async () => {
    const base = toldFleets.get(table.name) ?? (packed && { version: packed.version, fleet: toFleet(packed.rses) });
    const fleet = await readLater(table, state, base);
    toldFleets.set(table.name, { version, fleet });
    return fleet;
  });
}

/** The fleet of a version from an earlier one, if its version is known, and the RSEs that changed since. */
async function readLater(table: Table, state: FleetState, base: ToldFleet | undefined): Promise<Fleet> {
  const changed = base === undefined ? undefined : changedSince(state, base.version);
  if (base === undefined || changed === undefined) return readFleet(table);
  if (changed.length === 0) return base.fleet;
  const byId = new Map(base.fleet.byId);
  for (const rse of await getRsesById(table, changed)) byId.set(rse.id, rse);
  return toFleet([...byId.values()]);
}

/** The fleet, past the cache, by one strongly consistent query. */
export async function readFleet(table: Table): Promise<Fleet> {
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
