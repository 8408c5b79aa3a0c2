import type { BadDids, BadPfns, BadReplicas, Suspect } from '../../contract/schemas/bad-replica.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { locateReplicasByPfn, locateReplicas, locateNamedReplica } from '../../domain/replicas/bad/locate-replicas.ts';
import { type RefusedDeclarations, writeDeclarations } from '../../domain/replicas/bad/write-declarations.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { parseDate } from '../../time.ts';

/** The longest time for which replicas can be declared unavailable. */
const maxDays = 30;
const dayMs = 24 * 3_600_000;

/** Why replicas were not declared, by the name of the RSE. */
type NotDeclared = Record<string, string[]>;

/**
 * Declares replicas bad, all or nothing (spec/replication.md 1.8).
 *
 * @param declaration `force`: also replicas that were declared bad before and have another state since.
 * @returns The replicas that were not declared, and why.
 * @throws AccessDenied (401); ReplicaNotFound (404) if a PFN matches no RSE; the errors of {@link locateReplicas}.
 */
export async function declareBad(context: Context, declaration: BadReplicas): Promise<NotDeclared> {
  const { replicas, pfns, reason, force } = declaration;
  const { located, unknown } = await locateReplicas(context.store.table, replicas.length > 0 ? replicas : pfns);
  if (unknown.length > 0) fail('ReplicaNotFound', 'Not all replicas found');
  for (const [rseName, rse] of new Map(located.map((replica) => [replica.rse.rse, replica.rse]))) {
    await authorize(context, 'declare_bad_file_replicas', { rseName, rses: () => Promise.resolve([rse]) });
  }
  return writeDeclarations(context, located, { state: 'BAD', reason: reason ?? undefined, force }, toRecord);
}

/**
 * Declares replicas suspicious, all or nothing. Their states do not change (spec/replication.md 1.8).
 *
 * @returns The replicas that were not declared, and why. PFNs that match no RSE are under `unknown`.
 * @throws The errors of {@link locateReplicas}.
 */
export async function declareSuspicious(
  context: Context,
  { pfns: suspects, reason }: { readonly pfns: readonly Suspect[]; readonly reason?: string | null | undefined },
): Promise<NotDeclared> {
  const { located, unknown } = await locateReplicas(context.store.table, suspects);
  return writeDeclarations(context, located, { state: 'SUSPICIOUS', reason: reason ?? undefined }, (refused) => ({
    ...toRecord(refused),
    ...(unknown.length === 0 ? {} : { unknown: [...unknown] }),
  }));
}

/**
 * Declares the replicas of files on one RSE bad, all or nothing (spec/replication.md 1.8).
 *
 * @returns Why replicas were not declared.
 * @throws ValueError (400); AccessDenied (401); RSENotFound (404).
 */
export async function declareBadDids(context: Context, { dids, rse: name, reason, expires_at }: BadDids) {
  readExpiry(expires_at);
  await authorize(context, 'add_bad_pfns', { what: 'PFN or DIDs' });
  const rse = await requireCachedLiveRse(context.store.table, name);
  const located = dids.map((did: DidKey) => ({
    ...locateNamedReplica(rse, did),
    unknownLabel: locateNamedReplica(rse, did).label,
  }));
  return writeDeclarations(context, located, { state: 'BAD', reason: reason ?? undefined }, (refused) =>
    [...refused.values()].flat(),
  );
}

/**
 * Declares the replicas of PFNs bad, suspicious, or temporarily unavailable, all or nothing. PFNs without a replica are
 * skipped (spec/replication.md 1.8).
 *
 * @throws ValueError, InputValidationError (400); AccessDenied (401).
 */
export async function addBadPfns(context: Context, { pfns, reason, state, expires_at }: BadPfns): Promise<void> {
  const until = readExpiry(expires_at);
  await authorize(context, 'add_bad_pfns', { what: 'PFNs' });
  requireValidExpiry(state, until, context.now);
  const { table } = context.store;
  const { located } = await locateReplicasByPfn(table, await getFleet(table), pfns);
  const declaration = { reason: reason ?? undefined, ...(until === undefined ? {} : { until }) };
  await writeDeclarations(context, located, { ...declaration, state }, () => undefined);
}

function requireValidExpiry(state: BadPfns['state'], until: number | undefined, now: number): void {
  const days = Math.floor(((until ?? now) - now) / dayMs);
  if (until !== undefined && until > now + maxDays * dayMs) {
    fail('InputValidationError', `The given duration of ${days} days exceeds the maximum duration of ${maxDays} days.`);
  }
  if (state === 'TEMPORARY_UNAVAILABLE' && until === undefined) {
    fail('InputValidationError', 'When adding a TEMPORARY UNAVAILABLE pfn the expires_at value should be set.');
  }
  if (state === 'BAD' && until !== undefined) {
    fail('InputValidationError', "When adding a BAD pfn the expires_at value shouldn't be set.");
  }
}

function readExpiry(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  return parseDate(text) ?? fail('ValueError', `time data '${text}' does not match format '%Y-%m-%dT%H:%M:%S.%f'`);
}

function toRecord(refused: RefusedDeclarations): NotDeclared {
  return Object.fromEntries(Array.from(refused, ([rse, texts]) => [rse, [...texts]]));
}
