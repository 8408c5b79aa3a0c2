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
 * Asks for exceptions for those of some DIDs that end before the cutoff date, all or none of them; those of one scope and
 * datatype get one id (spec/access.md 6.5).
 *
 * @returns The exceptions by id, and the DIDs that get none.
 * @throws UnsupportedOperation (409) while no cutoff date in the future is set.
 */
export async function addLifetimeExceptions(
  context: Context,
  { dids, pattern, comments, expires_at: wishedEnd }: NewExceptions,
): Promise<AddedExceptions> {
  const { store, now, issuer } = context;
  // Who has just set the cutoff date is not told that there is none by a function that remembers the time before.
  invalidateOptions(store.table);
  const cutoff = await readOption(store.table, 'lifetime_model', 'cutoff_date');
  if (cutoff === undefined || cutoff < now) fail('UnsupportedOperation', 'Cannot submit exception at that date.');
  const expiresAt = await endOf(store.table, wishedEnd ?? undefined, now);
  const common = {
    account: issuer.account,
    pattern: pattern ?? null,
    // The official client puts the volume behind the reason.
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
    const ending = found.filter((did) => endOfLife(did) < cutoff);
    const groups = [...Map.groupBy(ending, groupOf).values()].map((group) => ({ id: newId(), group }));
    const answer: AddedExceptions = {
      exceptions: Object.fromEntries(groups.map(({ id, group }) => [id, group.map(toDidOfType)])),
      unknown: Array.from(
        unique.values().filter((did) => !known.has(formatDid(did))),
        toUnknown,
      ),
      not_affected: found.filter((did) => endOfLife(did) >= cutoff).map(toDidOfType),
    };
    const writes = groups.flatMap(({ id, group }) =>
      group.map(({ scope, name, type }) =>
        insertLifetimeException({ ...common, id, did: { scope, name }, didType: type }),
      ),
    );
    return { writes, answer };
  });
}

/** When an exception ends: as it was asked for, within the longest extension that is allowed. */
async function endOf(table: Table, wished: number | undefined, now: number): Promise<number | undefined> {
  const days = await readOption(table, 'lifetime_model', 'max_extension');
  if (days === undefined) return wished;
  const latest = now + days * 86_400_000;
  return Math.min(wished ?? latest, latest);
}

/** When a DID ends; one without an end never does. */
function endOfLife({ columns }: Did): number {
  const end = columns['eol_at'];
  return typeof end === 'number' ? end : Number.POSITIVE_INFINITY;
}

const groupOf = ({ scope, columns }: Did) => JSON.stringify([scope, columns['datatype'] ?? null]);

const toDidOfType = ({ scope, name, type }: Did): DidOfType => ({ scope, name, did_type: type });

/** Rucio takes what it does not know for a dataset. */
const toUnknown = ({ scope, name }: { scope: string; name: string }): DidOfType => ({
  scope,
  name,
  did_type: 'DATASET',
});
