import type { Quarantine } from '../../contract/schemas/bad-replica.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { findFiles } from '../../domain/replicas/find-dids.ts';
import { failRseDisabled, requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { findPathFlaw } from '../../paths.ts';
import type { Table } from '../../store/batches/table.ts';
import { getQuarantined, insertQuarantined } from '../../store/entities/quarantined-replica.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';

/**
 * Quarantines files on an RSE that the catalogue does not know, all or nothing. Skips replicas and files in quarantine
 * (spec/replication.md 1.8).
 *
 * @throws InputValidationError (400) unless the RSE is given either by name or by id and every file has a path;
 *   InvalidPath (400); AccessDenied (403); RSENotFound (404).
 */
export async function quarantineReplicas(
  context: Context,
  { replicas, rse: name, rse_id: id }: Quarantine,
): Promise<void> {
  if (replicas.length === 0) return;
  const rse = await findRse(context.store.table, name, id);
  await authorize(context, 'quarantine_file_replicas', {});
  const found = replicas.map(({ path, scope, name: file }) => ({
    path: requirePath(path, rse),
    ...(scope && file ? { did: { scope, name: file } } : {}),
  }));
  await context.store.write(async (latest) => {
    const [files, quarantined] = await Promise.all([
      findFiles(
        latest,
        found.flatMap(({ did }) => did ?? []),
      ),
      getQuarantined(
        latest,
        rse.id,
        found.map(({ path }) => path),
      ),
    ]);
    const unknown = found.filter(
      ({ path, did }) =>
        !quarantined.has(path) && (did === undefined || files.get(formatDid(did))?.replicas.has(rse.id) !== true),
    );
    const byPath = new Map(unknown.map((replica) => [replica.path, replica]));
    return Array.from(byPath.values(), (replica) => insertQuarantined(rse.id, replica, context.now));
  });
}

/** Dark files may have any path; one that could be read as another file is not told to whoever removes them. */
function requirePath(path: string | undefined, { rse }: Rse): string {
  if (path === undefined) fail('InputValidationError', 'Replica info must include path');
  const flaw = findPathFlaw(path);
  return flaw === undefined ? path : fail('InvalidPath', `The path '${path}' on ${rse} names no file: ${flaw}`);
}

async function findRse(table: Table, name: string | null | undefined, id: string | null | undefined): Promise<Rse> {
  if ((name ?? undefined) === undefined && id) {
    const { byId } = await getFleet(table);
    const rse = byId.get(id);
    if (rse !== undefined && rse.deletedAt === undefined) return rse;
    failRseDisabled(id);
  }
  if (name === undefined || name === null || (id ?? undefined) !== undefined) {
    fail('InputValidationError', 'Either RSE name or RSE id must be specified, but not both');
  }
  return requireCachedLiveRse(table, name);
}
