import type { DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { addIntegers, type Integer, negate } from '../../integer.ts';
import type { Table } from '../../store/batches/table.ts';
import { getLocalLimit } from '../../store/entities/account-limit.ts';
import { getAccountUsage } from '../../store/entities/account-usage.ts';
import { listRseUsages, ownSource } from '../../store/entities/rse-usage.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { insufficientQuota } from '../account-limits/insufficient-quota.ts';
import { findTotalSpace } from '../rses/space-sources.ts';
import { formatDid } from '../values/format-did.ts';

/** A file that somebody claims to have on an RSE. */
export interface ClaimedSize extends DidKey {
  readonly bytes: Integer;
}

/**
 * Whether the sizes that clients tell decide what is deleted from an RSE: the reaper keeps space free there, and goes by the sum of
 * the catalogue.
 */
export function believesSizes({ attributes, limits }: Pick<Rse, 'attributes' | 'limits'>): boolean {
  return attributes['source_for_used_space'] === ownSource && (limits['MinFreeSpace'] ?? 0) > 0;
}

/**
 * Refuses sizes with which an account could have the cached files of others deleted, on an RSE that {@link believesSizes}: nobody
 * has seen the files yet. They must fit into the storage, and into what the account may use of it. Costs three queries.
 *
 * @throws RSEOverQuota, InsufficientAccountLimit (409).
 */
export async function requireCredible(
  table: Table,
  rse: Rse,
  account: string,
  claims: readonly ClaimedSize[],
): Promise<void> {
  if (claims.length === 0) return;
  const [usages, limit = 0, usage] = await Promise.all([
    listRseUsages(table, rse.id),
    getLocalLimit(table, account, rse.id),
    getAccountUsage(table, account, rse.id),
  ]);
  const total = findTotalSpace(rse, usages);
  const sum = claims.reduce((bytes: Integer, claim) => addIntegers(bytes, claim.bytes), 0);
  if (total !== undefined && sum > total) {
    const [largest] = claims.toSorted((a, b) => (a.bytes > b.bytes ? -1 : 1));
    const what = claims.length === 1 && largest !== undefined ? formatDid(largest) : `${claims.length} files`;
    fail('RSEOverQuota', `${what} of ${sum} bytes cannot be on ${rse.rse}, which has ${total} bytes`);
  }
  if (limit !== -1 && addIntegers(limit, negate(usage?.bytes ?? 0)) < sum)
    fail('InsufficientAccountLimit', insufficientQuota);
}
