import type { DidKey } from '../../contract/schemas/did.ts';
import type { ReplicaQuery } from '../../contract/schemas/replica.ts';
import type { ReadAccess } from '../../domain/replicas/access-protocols.ts';
import { type PfnOrder, readSortAlgorithm } from '../../domain/replicas/order-pfns.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import { stateOf } from '../../domain/values/replica-states.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Did, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { parseDate } from '../../time.ts';

/** The schemes of metalinks, unless others are asked for (spec/replication.md 1.4). */
const metalinkSchemes = 'root davs http https file storm srm+https scp rsync rclone magnet'.split(' ');

/** What a list of replicas is to hold. */
export interface ReplicaListQuery {
  readonly dids: readonly DidKey[];
  readonly access: ReadAccess;
  readonly arrangement: PfnOrder;
  readonly filter: ReplicaFilter;
  readonly resolveArchives: boolean;
  readonly resolveParents: boolean;
  /** Files that are drawn at random; undefined: all. */
  readonly random: number | undefined;
  /** How much of collections is looked at; absent: all. */
  readonly bound?: ReadLimit;
}

/** How much of collections is looked at for a list that must stay small. */
export interface ReadLimit {
  /** Attachments, those of collections included. */
  readonly attachments: number;
  /** Files that are read at once, while nobody has left. */
  readonly filesPerStep: number;
  /** Called where there is more; may throw. */
  readonly onMore: () => void;
}

/** Which replicas are listed. */
export interface ReplicaFilter {
  /** Letters of states; undefined: all. */
  readonly states: ReadonlySet<string> | undefined;
  /** RSEs that cannot be read at present are no obstacle. */
  readonly ignoreAvailability: boolean;
  readonly expression: string | undefined;
  /** Replicas that have not changed since this time, in milliseconds, are left out. */
  readonly updatedAfter: number | undefined;
}

/** States of replicas that can be read. */
export const availableStates: ReadonlySet<string> = new Set(['A']);
const almostAvailable = new Set(['A', 'U', 'C']);

interface QueryParameters {
  readonly limit?: number | undefined;
  readonly sort?: string | undefined;
  readonly select?: string | undefined;
}

/**
 * Reads what a body asks for (spec/replication.md 1.4).
 *
 * @throws SortingAlgorithmNotSupported, ValueError (400).
 */
export function readReplicaQuery(body: ReplicaQuery, query: QueryParameters, isMetalink: boolean): ReplicaListQuery {
  const { unavailable, domain, client_location: location } = body;
  return {
    dids: body.dids,
    access: {
      domain: domain ?? undefined,
      site: location?.site || undefined,
      schemes: body.schemes ?? (isMetalink ? metalinkSchemes : []),
    },
    arrangement: {
      algorithm: readSortAlgorithm(query.sort ?? query.select ?? body.sort),
      limit: query.limit,
      byRse: false,
    },
    filter: {
      states: body.all_states ? undefined : unavailable === true ? almostAvailable : availableStates,
      // Whoever names the older option, with whatever value, means this as well.
      ignoreAvailability: body.ignore_availability ?? unavailable !== undefined,
      expression: body.rse_expression || undefined,
      updatedAfter: readTime(body.updated_after),
    },
    resolveArchives: body.resolve_archives,
    resolveParents: body.resolve_parents,
    random: body.nrandom || undefined,
  };
}

/** Everything that is known of DIDs, by the protocols that read best from anywhere. */
export function makeUnfilteredQuery(dids: readonly DidKey[]): ReplicaListQuery {
  return {
    dids,
    access: { domain: undefined, site: undefined, schemes: [] },
    arrangement: { algorithm: 'geoip', limit: undefined, byRse: false },
    filter: { states: undefined, ignoreAvailability: true, expression: undefined, updatedAfter: undefined },
    resolveArchives: false,
    resolveParents: false,
    random: undefined,
  };
}

/** What the older call for one DID asks for (spec/replication.md 1.5). */
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
      site: undefined,
      schemes: wanted.length > 0 || !isMetalink ? wanted : metalinkSchemes,
    },
    arrangement: { algorithm: readSortAlgorithm(select), limit, byRse: true },
    filter: { states: availableStates, ignoreAvailability: true, expression: undefined, updatedAfter: undefined },
    resolveArchives: true,
    resolveParents: false,
    random: undefined,
  };
}

/** Says which replicas pass; made once for a list, since an expression has to be resolved. */
export type ReplicaTest = (rse: Rse | undefined, replica: Replica, file: Did) => rse is Rse;

/** @throws InvalidRSEExpression, InvalidObject (400). */
export async function makeReplicaTest(table: Table, filter: ReplicaFilter, now: number): Promise<ReplicaTest> {
  const { states, ignoreAvailability, expression, updatedAfter = Number.NEGATIVE_INFINITY } = filter;
  const rses = expression === undefined ? undefined : new Set(await resolveExpression(table, expression));
  return (rse, replica, file): rse is Rse =>
    rse !== undefined &&
    rse.deletedAt === undefined &&
    (ignoreAvailability || rse.availabilityRead) &&
    (rses === undefined || rses.has(rse)) &&
    (states === undefined || states.has(stateOf(replica, now))) &&
    (replica.updatedAt ?? replica.createdAt ?? file.createdAt) >= updatedAfter;
}

function readTime(time: string | number | null | undefined): number | undefined {
  if (time === null || time === undefined) return undefined;
  const read = typeof time === 'number' ? time * 1000 : parseDate(time);
  return read ?? fail('ValueError', `time data '${time}' does not match format '%Y-%m-%dT%H:%M:%S'`);
}
