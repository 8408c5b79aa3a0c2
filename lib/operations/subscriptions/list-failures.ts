import type { SubscriptionFailure } from '../../contract/schemas/subscription.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { subscriptionNotFound } from '../../domain/subscriptions/find-subscriptions.ts';
import type { Context } from '../../domain/values/context.ts';
import { listMatchFailures } from '../../store/entities/subscription-match.ts';
import { getSubscription } from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/values/subscription-key.ts';
import { formatDate } from '../../time.ts';

/**
 * The DIDs for which a subscription failed to create its rules, by scope and name. Setting the metadata `is_new` of a DID
 * retries it; success removes it from the list.
 *
 * @throws SubscriptionNotFound (404).
 */
export async function* listSubscriptionFailures(
  { store: { table } }: Context,
  key: SubscriptionKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<SubscriptionFailure>> {
  const subscription = await getSubscription(table, key);
  if (subscription === undefined) throw subscriptionNotFound(key);
  const [scope = '', name = ''] = page.after ?? [];
  const slice = sliceOf(page, page.after === undefined ? undefined : { scope, name });
  for await (const failure of listMatchFailures(table, subscription.id, slice)) {
    const { did, didType, templates, exception, message, attempts, failedAt } = failure;
    const row = {
      ...did,
      did_type: didType === 'CONTAINER' ? didType : ('DATASET' as const),
      replication_rules: templates === undefined ? null : [...templates],
      exception,
      message,
      attempts,
      failed_at: formatDate(failedAt),
    };
    yield placed(row, did.scope, did.name);
  }
}
