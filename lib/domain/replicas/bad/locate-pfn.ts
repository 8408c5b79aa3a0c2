import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail, RucioError } from '../../../errors.ts';
import { findPathFlaw, findTextFlaw } from '../../../paths.ts';
import { pythonRepr } from '../../../python/text.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { Fleet } from '../../../store/entities/rse-fleet.ts';
import { findByExactPath } from '../../../store/entities/rse-path.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { parsePfn } from '../../rses/pfn/parse-pfn.ts';
import { findPathAlgorithm, splitPath } from '../../rses/pfn/path-algorithms.ts';
import { rootedPrefix } from '../../rses/pfn/protocol-parts.ts';

/** The RSE and path of a PFN. */
export interface PfnLocation {
  readonly rse: Rse;
  /** Below the prefix of the protocol, with a slash before it. */
  readonly path: string;
}

/**
 * Finds the RSE and path of a PFN: the protocol with the same scheme and host and the longest matching prefix decides.
 * Staging areas are skipped, because they have no replicas of their own. A path that names no file is on no RSE.
 *
 * @throws RucioException (400) if several RSEs match equally well.
 */
export function locatePfn({ live }: Fleet, pfn: string): PfnLocation | undefined {
  if (findTextFlaw(pfn) !== undefined) return undefined;
  const [, scheme, host] = /^([^:]+):\/\/(?:[^@/]*@)?([^:/?#]*)/.exec(pfn) ?? [];
  const places = live
    .filter(({ stagingArea }) => !stagingArea)
    .flatMap((rse) =>
      rse.protocols
        .filter((protocol) => protocol.scheme === scheme && protocol.hostname === host)
        .flatMap((protocol) => {
          const parsed = parsePfn(protocol, pfn);
          return 'path' in parsed && findPathFlaw(parsed.path) === undefined
            ? [{ rse, path: parsed.path, depth: rootedPrefix(protocol).length }]
            : [];
        }),
    )
    .toSorted((a, b) => b.depth - a.depth);
  const [best] = places;
  if (best !== undefined && places.some(({ rse, depth }) => rse !== best.rse && depth === best.depth)) {
    throw new RucioError('RucioException', `ERROR, multiple matches : ${pfn} at ${best.rse.rse}`, { status: 400 });
  }
  return best;
}

/**
 * Finds the path of a PFN on a given RSE.
 *
 * @throws RSEProtocolNotSupported (404) if the RSE has no protocol of the scheme; RSEFileNameNotSupported (400) if
 *   host, port or prefix differ; InvalidPath (400) for a path that names no file.
 */
export function locatePfnOnRse(rse: Rse, pfn: string): PfnLocation {
  const scheme = pfn.split(':')[0] ?? '';
  const protocols = rse.protocols.filter((protocol) => protocol.scheme === scheme);
  if (protocols.length === 0) {
    fail('RSEProtocolNotSupported', `No protocol for provided settings found : RSE ${rse.rse}, scheme ${scheme}.`);
  }
  const parsed = protocols.map((protocol) => parsePfn(protocol, pfn));
  const found = parsed.find((one) => 'path' in one);
  if (found !== undefined) {
    const flaw = findTextFlaw(pfn) ?? findPathFlaw(found.path);
    return flaw === undefined
      ? { rse, path: found.path }
      : fail('InvalidPath', `The PFN ${pythonRepr(pfn)} on ${rse.rse} names no file: ${flaw}`);
  }
  return fail('RSEFileNameNotSupported', parsed.flatMap((one) => ('misfit' in one ? one.misfit : []))[0] ?? pfn);
}

/** The files of a path. On a deterministic RSE the name follows from the path, and the file may not exist. */
export async function findFilesAt(table: Table, { rse, path }: PfnLocation): Promise<readonly DidKey[]> {
  // Where paths do not name the scope, each is kept with its file.
  const algorithm = rse.deterministic ? findAlgorithm(rse) : undefined;
  const isDerived = rse.deterministic && (algorithm === undefined || algorithm.between !== undefined);
  return isDerived ? [deriveFile(rse, path)] : findByExactPath(table, rse.id, path);
}

/**
 * Derives scope and name from a path: the first division of which the RSE's algorithm makes the same path. If none fits, takes the
 * first folder and the last part, as Rucio does.
 */
function deriveFile(rse: Rse, path: string): DidKey {
  const parts = path.replace(/^\/+/, '').split('/');
  const plain = parts.join('/').replaceAll(/\/{2,}/g, '/');
  const algorithm = findAlgorithm(rse);
  // A path may have several slashes where a name has them.
  const divisions = [parts.join('/'), plain].flatMap((one) => splitPath(one, algorithm?.between ?? 0));
  const found = divisions.find((did) => algorithm?.pathOf(did)?.replaceAll(/\/{2,}/g, '/') === plain);
  return found ?? { scope: parts[0] ?? '', name: parts.at(-1) ?? '' };
}

function findAlgorithm(rse: Rse) {
  try {
    return findPathAlgorithm(rse);
  } catch (error) {
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}
