import type { DidKey } from '../../contract/schemas/did.ts';
import type { ReplicaQuery } from '../../contract/schemas/replica.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import type { ReadAccess } from '../../domain/replicas/access-protocols.ts';
import { type PfnOrder, type Place, readSortAlgorithm } from '../../domain/replicas/order-pfns.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import { effectiveState } from '../../domain/values/replica-state.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { parseDate } from '../../time.ts';

/** The default schemes of metalinks (spec/replication.md 1.4). */
const metalinkSchemes = 'root davs http https file storm srm+https scp rsync rclone magnet'.split(' ');

/** A query for a list of replicas. */
export interface ReplicaListQuery {
  readonly dids: readonly DidKey[];
  readonly access: Omit<ReadAccess, 'site'>;
  /** The site of the caller. */
  readonly site: string | undefined;
  readonly arrangement: PfnOrder;
  readonly filter: ReplicaFilter;
  readonly resolveArchives: boolean;
  readonly resolveParents: boolean;
  /** Size of a random sample of the files; undefined: all files. */
  readonly random: number | undefined;
  /** Limits how much of collections is read; absent: no limit. */
  readonly bound?: ReadLimit;
}

/** A limit on how much of collections is read. */
export interface ReadLimit {
  /** The most attachments, including those of nested collections. */
  readonly attachments: number;
  /** Files per batch. Small batches read less if the caller stops early. */
  readonly filesPerStep: number;
  /** Called if there are more attachments; may throw. */
  readonly onMore: () => void;
}

/** Which replicas match. */
export interface ReplicaFilter {
  /** Undefined: all. */
  readonly states: ReadonlySet<ReplicaState> | undefined;
  /** Include RSEs that are not available for reading. */
  readonly ignoreAvailability: boolean;
  readonly expression: string | undefined;
  /** Only replicas that changed at or after this time, in milliseconds since 1970. */
  readonly updatedAfter: number | undefined;
}

/** States of readable replicas. */
export const availableStates: ReadonlySet<ReplicaState> = new Set([ReplicaState.AVAILABLE]);
const availableSoonStates: ReadonlySet<ReplicaState> = new Set([
  ReplicaState.AVAILABLE,
  ReplicaState.UNAVAILABLE,
  ReplicaState.COPYING,
]);

interface QueryParameters {
  readonly limit?: number | undefined;
  readonly sort?: string | undefined;
  readonly select?: string | undefined;
}

/**
 * Reads the query of a body (spec/replication.md 1.4).
 *
 * @throws SortingAlgorithmNotSupported, ValueError (400).
 */
export function readReplicaQuery(body: ReplicaQuery, query: QueryParameters, isMetalink: boolean): ReplicaListQuery {
  const { unavailable, domain, client_location: location } = body;
  return {
    dids: body.dids,
    access: {
      domain: domain ?? undefined,
      schemes: body.schemes ?? (isMetalink ? metalinkSchemes : []),
    },
    site: location?.site || undefined,
    arrangement: {
      algorithm: readSortAlgorithm(query.sort ?? query.select ?? body.sort),
      from: placeOf(location),
      limit: query.limit,
      byRse: false,
    },
    filter: {
      states: body.all_states ? undefined : unavailable === true ? availableSoonStates : availableStates,
      // The older option implies this one, whatever its value.
      ignoreAvailability: body.ignore_availability ?? unavailable !== undefined,
      expression: body.rse_expression || undefined,
      updatedAfter: readTime(body.updated_after),
    },
    resolveArchives: body.resolve_archives,
    resolveParents: body.resolve_parents,
    random: body.nrandom || undefined,
  };
}

/** Where a caller is, if it names both coordinates; as in Rucio, nonsense counts as none. */
function placeOf(location: ReplicaQuery['client_location']): Place | undefined {
  const [latitude, longitude] = [Number(location?.latitude ?? Number.NaN), Number(location?.longitude ?? Number.NaN)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** A query for all replicas of DIDs in any state, with the best protocols for `wan`. */
export function makeUnfilteredQuery(dids: readonly DidKey[]): ReplicaListQuery {
  return {
    dids,
    access: { domain: undefined, schemes: [] },
    site: undefined,
    arrangement: { algorithm: 'geoip', limit: undefined, byRse: false },
    filter: { states: undefined, ignoreAvailability: true, expression: undefined, updatedAfter: undefined },
    resolveArchives: false,
    resolveParents: false,
    random: undefined,
  };
}

/** The query of the older call for one DID (spec/replication.md 1.5). */
export function readSimpleReplicaQuery(
  did: DidKey,
  { schemes, select, limit }: { readonly schemes?: string | undefined } & QueryParameters,
  isMetalink: boolean,
): ReplicaListQuery {
  const wanted = (schemes ?? '').split(',').filter(Boolean);
  return {
    dids: [did],
    access: {
      domain: undefined,
      schemes: wanted.length > 0 || !isMetalink ? wanted : metalinkSchemes,
    },
    site: undefined,
    arrangement: { algorithm: readSortAlgorithm(select), limit, byRse: true },
    filter: { states: availableStates, ignoreAvailability: true, expression: undefined, updatedAfter: undefined },
    resolveArchives: true,
    resolveParents: false,
    random: undefined,
  };
}

/** Tests whether a replica matches a filter. */
export type ReplicaTest = (rse: Rse | undefined, replica: Replica, file: FileDid) => rse is Rse;

/**
 * Makes the test of a filter. Resolves its RSE expression once for the whole list.
 *
 * @throws InvalidRSEExpression, InvalidObject (400).
 */
export async function makeReplicaTest(table: Table, filter: ReplicaFilter, now: number): Promise<ReplicaTest> {
  const { states, ignoreAvailability, expression, updatedAfter = Number.NEGATIVE_INFINITY } = filter;
  const rses = expression === undefined ? undefined : new Set(await resolveExpression(table, expression));
  return (rse, replica, file): rse is Rse =>
    rse !== undefined &&
    rse.deletedAt === undefined &&
    (ignoreAvailability || rse.availabilityRead) &&
    (rses === undefined || rses.has(rse)) &&
    (states === undefined || states.has(effectiveState(replica, now))) &&
    (replica.updatedAt ?? replica.createdAt ?? file.createdAt) >= updatedAfter;
}

function readTime(time: string | number | null | undefined): number | undefined {
  if (time === null || time === undefined) return undefined;
  const read = typeof time === 'number' ? time * 1000 : parseDate(time);
  return read ?? fail('ValueError', `time data '${time}' does not match format '%Y-%m-%dT%H:%M:%S'`);
}
