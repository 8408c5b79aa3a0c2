import type { DidKey } from '../../contract/schemas/did.ts';
import type { RequestRecord } from '../../contract/schemas/request.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { describePastRequest } from '../../domain/requests/describe-past-request.ts';
import { describeRequest } from '../../domain/requests/describe-request.ts';
import { RequestDetailsReader } from '../../domain/requests/read-request-details.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { getPastTransfers } from '../../store/entities/past-transfer.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { getTransfer } from '../../store/entities/transfer.ts';

/**
 * The request to copy a file to an RSE (spec/access.md 6.6).
 *
 * @throws RSENotFound, RequestNotFound (404).
 */
export async function getRequest({ store, now }: Context, did: DidKey, rseName: string): Promise<RequestRecord> {
  const rse = await requireCachedLiveRse(store.table, rseName);
  const transfer = isValidDid(did) ? await getTransfer(store.table, did, rse.id) : undefined;
  if (transfer === undefined) failWithoutRequest(did, rseName);
  const [wanted] = await new RequestDetailsReader(store.table, now).find([transfer], rse);
  return wanted === undefined ? failWithoutRequest(did, rseName) : describeRequest(wanted, now);
}

/**
 * The last attempt within 30 days to copy a file to an RSE.
 *
 * @throws AccessDenied (401); RSENotFound, RequestNotFound (404).
 */
export async function getRequestHistory(context: Context, did: DidKey, rseName: string): Promise<RequestRecord> {
  const { table } = context.store;
  const rse = await requireCachedLiveRse(table, rseName);
  await authorize(context, 'get_request_history_by_did', { did, rse: rseName });
  const past = isValidDid(did) ? await getPastTransfers(table, did, rse.id, context.now) : [];
  const last = past.at(-1);
  if (last === undefined) failWithoutRequest(did, rseName);
  return describePastRequest(last, (await getFleet(table)).byId);
}

function failWithoutRequest(did: DidKey, rseName: string): never {
  return fail('RequestNotFound', `No request found for DID ${formatDid(did)} at RSE ${rseName}`);
}
