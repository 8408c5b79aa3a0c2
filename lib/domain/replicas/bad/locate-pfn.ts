import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail, RucioError } from '../../../errors.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { Fleet } from '../../../store/entities/rse-fleet.ts';
import { findByPath } from '../../../store/entities/rse-path.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { parsePfn } from '../../rses/pfn/parse-pfn.ts';
import { findPathAlgorithm } from '../../rses/pfn/path-algorithms.ts';
import { rootedPrefix } from '../../rses/pfn/protocol-parts.ts';

/** Where a PFN leads. */
export interface PfnLocation {
  readonly rse: Rse;
  /** Below the prefix of the protocol, with a slash before it. */
  readonly path: string;
}

/**
 * The RSE of a PFN, and the path there: that of the protocol with the longest prefix among those of the PFN's host.
 * Staging areas have no replicas of their own.
 *
 * @throws RucioException (400) when several RSEs have such a protocol.
 */
export function locatePfn({ live }: Fleet, pfn: string): PfnLocation | undefined {
  const [, scheme, host] = /^([^:]+):\/\/(?:[^@/]*@)?([^:/?#]*)/.exec(pfn) ?? [];
  const places = live
    .filter(({ stagingArea }) => !stagingArea)
    .flatMap((rse) =>
      rse.protocols
        .filter((protocol) => protocol.scheme === scheme && protocol.hostname === host)
        .flatMap((protocol) => {
          const parsed = parsePfn(protocol, pfn);
          return 'path' in parsed ? [{ rse, path: parsed.path, depth: rootedPrefix(protocol).length }] : [];
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
 * The place of a PFN that must be on an RSE.
 *
 * @throws RSEProtocolNotSupported (404) when the RSE has no protocol of its scheme; RSEFileNameNotSupported (400) when it
 *   is of another host, port or prefix.
 */
export function locatePfnOnRse(rse: Rse, pfn: string): PfnLocation {
  const scheme = pfn.split(':')[0] ?? '';
  const protocols = rse.protocols.filter((protocol) => protocol.scheme === scheme);
  if (protocols.length === 0) {
    fail('RSEProtocolNotSupported', `No protocol for provided settings found : RSE ${rse.rse}, scheme ${scheme}.`);
  }
  const parsed = protocols.map((protocol) => parsePfn(protocol, pfn));
  const found = parsed.find((one) => 'path' in one);
  if (found !== undefined) return { rse, path: found.path };
  return fail('RSEFileNameNotSupported', parsed.flatMap((one) => ('misfit' in one ? one.misfit : []))[0] ?? pfn);
}

/** The files that a path is of; on a deterministic RSE the one that would lie there, whether it does or not. */
export async function findFilesAt(table: Table, { rse, path }: PfnLocation): Promise<readonly DidKey[]> {
  return rse.deterministic ? [fileOf(rse, path)] : findByPath(table, rse.id, path);
}

/** Hash folders of the algorithm `hash`, and none of the algorithm `identity`. */
const foldersBetween = [2, 0];

/**
 * Reads scope and name out of a path, by trying what the RSE's algorithm makes of them; a path that it would make of
 * nothing is read as Rucio does: the first folder, and what stands after the last slash.
 */
function fileOf(rse: Rse, path: string): DidKey {
  const parts = path.replace(/^\/+/, '').split('/');
  const algorithm = algorithmIfKnown(rse);
  for (const folders of foldersOfScope(parts)) {
    for (const between of foldersBetween) {
      const did = { scope: parts.slice(0, folders).join('.'), name: parts.slice(folders + between).join('/') };
      if (did.name !== '' && algorithm?.(did) === parts.join('/')) return did;
    }
  }
  return { scope: parts[0] ?? '', name: parts.at(-1) ?? '' };
}

/** How many folders a scope may be: those of users and groups are folders by their parts, mostly two. */
function foldersOfScope(parts: readonly string[]): number[] {
  const counts = Array.from({ length: parts.length - 1 }, (_value, index) => index + 1);
  return parts[0] === 'user' || parts[0] === 'group' ? [...counts.slice(1), 1] : counts;
}

function algorithmIfKnown(rse: Rse) {
  try {
    return findPathAlgorithm(rse);
  } catch (error) {
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}
