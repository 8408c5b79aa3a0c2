import type { TransferOutcome, TransferReport } from '../../contract/schemas/transfer-lease.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { reportTransfers } from '../../domain/requests/report-transfers.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * Carries out what a mover reports about transfers to an RSE, all or nothing (docs/how-to/move-data.md).
 *
 * @throws AccessDenied (401); RSENotFound (404).
 */
export async function reportRequests(context: Context, report: TransferReport): Promise<TransferOutcome[]> {
  await authorize(context, 'report_requests', undefined);
  return reportTransfers(context, await requireCachedLiveRse(context.store.table, report.rse), report.requests);
}
