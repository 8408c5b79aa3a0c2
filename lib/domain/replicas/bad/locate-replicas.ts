import type { Suspect } from '../../../contract/schemas/bad-replica.ts';
import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail } from '../../../errors.ts';
import { mapLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Fleet, getFleet } from '../../../store/entities/rse-fleet.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { failRseDisabled, failRseNotFound } from '../../rses/find-rse.ts';
import { formatDid } from '../../values/format-did.ts';
import { findFilesAt, locatePfn } from './locate-pfn.ts';

const maxParallelQueries = 50;

/** A replica that a request names. It may not exist. */
export interface LocatedReplica {
  readonly rse: Rse;
  /** Undefined if no file is known at the path of a PFN. */
  readonly did: DidKey | undefined;
  /** Its name in answers. */
  readonly label: string;
  /** Its name in answers if it does not exist. */
  readonly unknownLabel: string;
}

/** Replicas, and the PFNs that match no RSE. */
export interface LocatedReplicas {
  readonly located: readonly LocatedReplica[];
  readonly unknown: readonly string[];
}

/**
 * Finds the replicas that a request names, by PFN or by file and RSE (spec/replication.md 1.8).
 *
 * @throws InvalidType (400) if both forms are mixed, a member is missing, or the PFNs have several schemes; RSENotFound
 *   (404); RucioException (400) if a PFN matches several RSEs.
 */
export async function locateReplicas(table: Table, suspects: readonly Suspect[]): Promise<LocatedReplicas> {
  const pfns = suspects.filter((suspect) => typeof suspect === 'string');
  if (pfns.length !== 0 && pfns.length !== suspects.length) {
    fail('InvalidType', 'The replicas must be specified either as a list of PFNs (strings) or list of dicts');
  }
  if (new Set(pfns.map((pfn) => pfn.split(':')[0])).size > 1) {
    fail('InvalidType', 'The PFNs specified must have the same protocol');
  }
  const fleet = await getFleet(table);
  if (pfns.length > 0) return locateReplicasByPfn(table, fleet, pfns);
  const named = suspects.filter((suspect) => typeof suspect !== 'string');
  return { located: named.map((suspect) => locateReplicaByName(fleet, suspect)), unknown: [] };
}

function locateReplicaByName({ byName: names, byId }: Fleet, suspect: Exclude<Suspect, string>): LocatedReplica {
  const { scope, name, rse: rseName, rse_id: rseId } = suspect;
  if (scope === undefined || name === undefined || (rseName === undefined && rseId === undefined)) {
    fail('InvalidType', 'The replica dictionary must include scope and either rse (name) or rse_id');
  }
  const rse = rseId === undefined ? names.get(rseName ?? '') : byId.get(rseId);
  if (rse === undefined || rse.deletedAt !== undefined) {
    if (rseId === undefined) failRseNotFound(String(rseName));
    failRseDisabled(rseId);
  }
  return locateNamedReplica(rse, { scope, name });
}

/** The replica of a file, labelled as Rucio does. */
export function locateNamedReplica(rse: Rse, did: DidKey): LocatedReplica {
  return { rse, did, label: formatDid(did), unknownLabel: `(${did.scope}, '${did.name}')` };
}

/** Finds the replicas of PFNs, which may have several schemes. */
export async function locateReplicasByPfn(
  table: Table,
  fleet: Fleet,
  pfns: readonly string[],
): Promise<LocatedReplicas> {
  const places = [...new Set(pfns)].map((pfn) => ({ pfn, place: locatePfn(fleet, pfn) }));
  const located = await mapLimited(places, maxParallelQueries, async ({ pfn, place }): Promise<LocatedReplica[]> => {
    if (place === undefined) return [];
    const { rse } = place;
    const dids = await findFilesAt(table, place);
    if (rse.deterministic) return dids.map((did) => locateNamedReplica(rse, did));
    const known = dids.length === 0 ? [undefined] : dids;
    return known.map((did) => ({ rse, did, label: pfn, unknownLabel: pfn }));
  });
  const unknown = places.filter(({ place }) => place === undefined).map(({ pfn }) => pfn);
  return { located: located.flat(), unknown };
}
