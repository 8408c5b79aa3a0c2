import type { LeasedTransferLine, LeaseWishBody } from '../../contract/schemas/transfer-lease.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { defaultActivity, defaultPriority } from '../../domain/requests/describe-request.ts';
import { type LeasedTransfer, leaseTransfers } from '../../domain/requests/lease-transfers.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDate } from '../../time.ts';
import { findRses } from './request-selection.ts';

/**
 * Leases transfers for a mover (docs/how-to/move-data.md).
 *
 * @throws AccessDenied (401); RSENotFound (404), InvalidRSEExpression (400).
 */
export async function leaseRequests(context: Context, wish: LeaseWishBody): Promise<LeasedTransferLine[]> {
  await authorize(context, 'lease_requests', undefined);
  const { table } = context.store;
  const { holder, schemes, activity, limit, seconds } = wish;
  const destinations = await findRses(table, wish.dst_rse);
  const sources = wish.src_rse === undefined ? undefined : new Set(await findRses(table, wish.src_rse));
  const leased = await leaseTransfers(context, { holder, schemes, activity, limit, seconds, destinations, sources });
  return leased.map(describe);
}

function describe({ details, lease, destination, sources, replaces }: LeasedTransfer): LeasedTransferLine {
  const { transfer, file, rule } = details;
  return {
    id: transfer.id,
    ...transfer.did,
    bytes: file?.bytes ?? null,
    adler32: file?.adler32 ?? null,
    md5: file?.md5 ?? null,
    dest_rse: details.destination.rse,
    dest_rse_id: details.destination.id,
    dest_url: destination?.pfn ?? null,
    overwrite: replaces,
    sources: sources.map(({ rse, pfn, distance, failures }) => ({
      rse: rse.rse,
      rse_id: rse.id,
      url: pfn ?? null,
      distance,
      failures,
    })),
    activity: rule?.activity ?? defaultActivity,
    priority: rule?.priority ?? defaultPriority,
    rule_id: rule?.id ?? transfer.ruleId,
    retry_count: transfer.attempts ?? 0,
    external_id: transfer.externalId ?? null,
    external_host: transfer.externalHost ?? null,
    lease: lease.id,
    expires_at: formatDate(lease.until),
  };
}
