import type { AddedExceptions, DidOfType, NewExceptions } from '../../contract/schemas/lifetime-exception.ts';
import { invalidateOptions, readOption } from '../../domain/config/read-option.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { newId } from '../../domain/values/ids.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { insertLifetimeException } from '../../store/entities/lifetime-exception.ts';

/**
 * Requests exceptions for those DIDs whose life ends before the cutoff date, all or nothing. DIDs of one scope and
 * datatype share one id (spec/access.md 6.5).
 *
 * @returns The exceptions by id, and the DIDs without one.
 * @throws UnsupportedOperation (409) unless a cutoff date in the future is configured.
 */
export async function addLifetimeExceptions(
  context: Context,
  { dids, pattern, comments, expires_at: requestedEnd }: NewExceptions,
): Promise<AddedExceptions> {
  const { store, now, issuer } = context;
  // Bypass the cache, so that a cutoff date that was just set counts.
  invalidateOptions(store.table);
  const cutoff = await readOption(store.table, 'lifetime_model', 'cutoff_date');
  if (cutoff === undefined || cutoff < now) fail('UnsupportedOperation', 'Cannot submit exception at that date.');
  const expiresAt = await computeEnd(store.table, requestedEnd ?? undefined, now);
  const common = {
    account: issuer.account,
    pattern: pattern ?? null,
    // The official client appends the volume to the comment.
    comments: comments?.split('||||')[0] ?? null,
    state: 'WAITING' as const,
    createdAt: now,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };

  const unique = new Map(dids.map((did) => [formatDid(did), did]));
  return store.decide(async (latest) => {
    const known = new Map(
      (await getDids(latest, [...unique.values()].filter(isValidDid))).map((did) => [formatDid(did), did]),
    );
    const found = [...unique.keys()].flatMap((key) => known.get(key) ?? []);
    const ending = found.filter((did) => getEndOfLife(did) < cutoff);
    const groups = [...Map.groupBy(ending, makeGroupKey).values()].map((group) => ({ id: newId(), group }));
    const answer: AddedExceptions = {
      exceptions: Object.fromEntries(groups.map(({ id, group }) => [id, group.map(toDidOfType)])),
      unknown: Array.from(
        unique.values().filter((did) => !known.has(formatDid(did))),
        toUnknown,
      ),
      not_affected: found.filter((did) => getEndOfLife(did) >= cutoff).map(toDidOfType),
    };
    const writes = groups.flatMap(({ id, group }) =>
      group.map(({ scope, name, type }) =>
        insertLifetimeException({ ...common, id, did: { scope, name }, didType: type }),
      ),
    );
    return { writes, answer };
  });
}

/** When an exception ends: as requested, but no later than the longest allowed extension. */
async function computeEnd(table: Table, requested: number | undefined, now: number): Promise<number | undefined> {
  const days = await readOption(table, 'lifetime_model', 'max_extension');
  if (days === undefined) return requested;
  const latest = now + days * (24 * 3_600_000);
  return Math.min(requested ?? latest, latest);
}

/** When the life of a DID ends; infinity if it has no end. */
function getEndOfLife({ columns }: Did): number {
  const end = columns['eol_at'];
  return typeof end === 'number' ? end : Number.POSITIVE_INFINITY;
}

const makeGroupKey = ({ scope, columns }: Did) => JSON.stringify([scope, columns['datatype'] ?? null]);

const toDidOfType = ({ scope, name, type }: Did): DidOfType => ({ scope, name, did_type: type });

/** Rucio reports an unknown DID as a dataset. */
const toUnknown = ({ scope, name }: { scope: string; name: string }): DidOfType => ({
  scope,
  name,
  did_type: 'DATASET',
});
