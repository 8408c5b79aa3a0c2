import type { DidKey } from '../../contract/schemas/did.ts';
import { mapLimited } from '../../parallel.ts';
import { findNewPathFlaw, normalizePath } from '../../paths.ts';
import type { Table } from '../../store/batches/table.ts';
import { findByPath } from '../../store/entities/rse-path.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDid } from '../values/format-did.ts';

/** The most paths that are looked up in parallel. */
const maxParallelPaths = 50;

/** Where a mover has put a file. */
interface ReportedPath extends DidKey {
  readonly path?: string | undefined;
}

/**
 * Why files cannot have the paths that movers report, by `scope:name`: such a copy has failed, and holds up no other. Costs
 * nothing on a deterministic RSE; on others a read and a query for each path.
 */
export async function findPathObstacles(
  latest: Table,
  rse: Rse,
  reports: readonly ReportedPath[],
): Promise<ReadonlyMap<string, string>> {
  const told = rse.deterministic ? [] : reports.filter(({ path }) => Boolean(path));
  const places = new Map<string, string>();
  const obstacles = await mapLimited(told, maxParallelPaths, async (report) => {
    const { path = '' } = report;
    const own = formatDid(report);
    const flaw = findNewPathFlaw(path);
    if (flaw !== undefined) return [own, `The path '${path}' names no file: ${flaw}`] as const;
    const earlier = places.get(normalizePath(path)) ?? own;
    places.set(normalizePath(path), earlier);
    const owners = [earlier, ...(await findByPath(latest, rse.id, path)).map(formatDid)];
    const other = owners.find((owner) => owner !== own);
    return other === undefined ? undefined : ([own, `The path '${path}' belongs to ${other}`] as const);
  });
  return new Map(obstacles.filter((obstacle) => obstacle !== undefined));
}
