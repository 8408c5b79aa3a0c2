import type { SignQuery } from '../../contract/schemas/credentials.ts';
import { signUrl } from '../../domain/credentials/sign-url.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * Signs a URL of an RSE (spec/access.md 6.7).
 *
 * @throws AccessDenied (401); RSENotFound (404); what {@link signUrl} throws.
 */
export async function getSignedUrl(context: Context, { rse, url, lifetime, svc, op }: SignQuery): Promise<string> {
  await authorize(context, 'get_signed_url', { rse, service: svc, operation: op, url, lifetime });
  const found = await requireCachedLiveRse(context.store.table, rse);
  return signUrl(found, { service: svc, operation: op, url, lifetimeSeconds: lifetime });
}
