import type { ImportedDistance } from '../../contract/schemas/fleet.ts';
import { forEachLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { changeRseDistance, insertRseDistance, listRseDistances } from '../../store/entities/rse-distance.ts';
import { LostRace, type Plan, type Write } from '../../store/items/plan.ts';
import { failRseNotFound } from '../rses/find-rse.ts';
import type { FleetDraft } from './fleet-draft.ts';

type Distances = Readonly<Record<string, Readonly<Record<string, ImportedDistance>>>>;

/** The most RSEs whose distances are read in parallel. */
const maxParallelReads = 16;

/**
 * The writes that create and change the distances of an import; one query per source RSE (spec/rses.md 1.30).
 *
 * @param now In milliseconds since 1970.
 * @throws RSENotFound (404) for a name of no RSE after the import.
 */
export async function planDistances(
  draft: FleetDraft,
  latest: Table,
  distances: Distances,
  now: number,
): Promise<Plan> {
  const idOf = (name: string) => draft.idOf(name) ?? failRseNotFound(name);
  const rows = Object.entries(distances).map(([source, row]) => ({
    sourceId: idOf(source),
    row: Object.entries(row).map(([destination, given]) => ({
      destinationId: idOf(destination),
      distance: given.distance === undefined ? (given.ranking ?? null) : given.distance,
    })),
  }));
  const plan: Write[] = [];
  await forEachLimited(rows, maxParallelReads, async ({ sourceId, row }) => {
    const present = draft.isStored(sourceId) && row.length > 0 ? await distancesFrom(latest, sourceId) : new Map();
    for (const { destinationId, distance } of row) {
      const pair = { sourceId, destinationId };
      if (!present.has(destinationId)) {
        plan.push(insertRseDistance({ ...pair, distance, createdAt: now, updatedAt: now }, onRace));
      } else if (present.get(destinationId) !== distance) plan.push(changeRseDistance(pair, distance, now));
    }
  });
  return plan;
}

async function distancesFrom(latest: Table, sourceId: string): Promise<Map<string, number | null>> {
  const present = new Map<string, number | null>();
  for await (const { destinationId, distance } of listRseDistances(latest, sourceId)) {
    present.set(destinationId, distance);
  }
  return present;
}

const onRace = () => new LostRace('a distance was created concurrently');
