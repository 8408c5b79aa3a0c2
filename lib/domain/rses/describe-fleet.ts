import type { ExportedDistance, ExportedRse, FleetExport } from '../../contract/schemas/fleet.ts';
import { forEachLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { listRseDistances, type RseDistance } from '../../store/entities/rse-distance.ts';
import { listRses, type Rse } from '../../store/entities/rse.ts';
import { formatDate } from '../../time.ts';
import { describeRecord, describeSettings } from './describe-rse.ts';

/** The most RSEs whose distances are read in parallel. */
const maxParallelReads = 16;

/**
 * All live RSEs by name with the members that an import accepts, and the distances between all RSEs, disabled ones
 * included (spec/rses.md 1.29).
 *
 * @param given `distance`: whether to include distances.
 */
export async function describeFleet(table: Table, given: { readonly distance: boolean }): Promise<FleetExport> {
  const all = (await Array.fromAsync(listRses(table))).toSorted((a, b) => (a.rse < b.rse ? -1 : 1));
  const live = all.filter(({ deletedAt }) => deletedAt === undefined);
  const rses = Object.fromEntries(live.map((rse) => [rse.rse, describe(rse)]));
  return given.distance ? { rses, distances: await describeDistances(table, all) } : { rses };
}

function describe(rse: Rse): ExportedRse {
  const {
    continent: _continent,
    ISP: _ISP,
    ASN: _ASN,
    deleted: _deleted,
    deleted_at: _at,
    ...record
  } = describeRecord(rse);
  const { lfn2pfn_algorithm, verify_checksum, credentials, protocols } = describeSettings(rse);
  const { attributes, limits } = rse;
  const MinFreeSpace = limits['MinFreeSpace'] ?? null;
  return { ...record, attributes, lfn2pfn_algorithm, verify_checksum, credentials, protocols, MinFreeSpace };
}

/** Distances by the name of the source RSE, then of the destination RSE; both in name order. */
async function describeDistances(table: Table, all: readonly Rse[]): Promise<FleetExport['distances']> {
  const nameOf = new Map(all.map(({ id, rse }) => [id, rse]));
  const rows = new Map<string, Record<string, ExportedDistance>>();
  await forEachLimited(all, maxParallelReads, async ({ id, rse }) => {
    const row: [string, ExportedDistance][] = [];
    for await (const distance of listRseDistances(table, id)) {
      const name = nameOf.get(distance.destinationId);
      if (name !== undefined) row.push([name, describeDistance(distance)]);
    }
    if (row.length > 0) rows.set(rse, Object.fromEntries(row.toSorted(([a], [b]) => (a < b ? -1 : 1))));
  });
  return Object.fromEntries([...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function describeDistance({ sourceId, destinationId, distance, createdAt, updatedAt }: RseDistance): ExportedDistance {
  return {
    src_rse_id: sourceId,
    dest_rse_id: destinationId,
    distance,
    ranking: distance,
    created_at: formatDate(createdAt),
    updated_at: formatDate(updatedAt),
  };
}
