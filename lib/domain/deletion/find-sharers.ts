import type { DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import type { Table } from '../../store/batches/table.ts';
import { type FileDid, getFiles } from '../../store/entities/did.ts';
import { findByPath } from '../../store/entities/rse-path.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { computePath } from '../rses/pfn/lfn-to-pfn.ts';
import { findPathAlgorithm, splitPath } from '../rses/pfn/path-algorithms.ts';
import { formatDid } from '../values/format-did.ts';

/**
 * The other files that have a replica at the path of one on an RSE: the file on the storage is theirs as well. Replicas that are
 * being deleted do not count, so that a shared file goes with the last of them. No path is registered twice; but an
 * import may bring one twice, which must not cost others their files.
 *
 * Costs a query on a non-deterministic RSE; on others only what could share the path is read, mostly nothing.
 */
export async function findSharers(table: Table, rse: Rse, file: FileDid): Promise<readonly FileDid[]> {
  const stored = file.replicas.get(rse.id)?.path;
  const protocols = rse.protocols.length === 0 ? [undefined] : rse.protocols;
  const paths = new Set(
    protocols.flatMap((protocol) => computePath(rse, protocol, file, stored) ?? []).map(toPlainPath),
  );
  const between = rse.deterministic ? findPathAlgorithm(rse).between : undefined;
  const isAt = (did: DidKey, path: string) =>
    protocols.some((protocol) => toPlainPath(computePath(rse, protocol, did, undefined) ?? '') === path);
  // Where few DIDs can have a path they follow from it; otherwise each path is kept with its file.
  const candidates =
    between === undefined
      ? (await Promise.all([...paths, stored ?? ''].map((path) => findByPath(table, rse.id, path)))).flat()
      : [...paths].flatMap((path) => splitPath(path, between).filter((did) => isAt(did, path)));
  const others = new Map(candidates.map((did) => [formatDid(did), did]));
  others.delete(formatDid(file));
  if (others.size === 0) return [];
  const found = await getFiles(table, [...others.values()]);
  return found.filter(({ replicas }) => {
    const replica = replicas.get(rse.id);
    return replica !== undefined && replica.state !== ReplicaState.BEING_DELETED;
  });
}

/** Most storages take several slashes for one. */
const toPlainPath = (path: string) => path.replaceAll(/\/{2,}/g, '/').replace(/^\//, '');
