import type { SubscriptionRecord } from '../../contract/schemas/subscription.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { describeSubscription } from '../../domain/subscriptions/describe-subscription.ts';
import {
  findSubscriptions,
  subscriptionNotFound,
  type SubscriptionSelection,
} from '../../domain/subscriptions/find-subscriptions.ts';
import type { Context } from '../../domain/values/context.ts';
import { readId } from '../../domain/values/ids.ts';
import { fail } from '../../errors.ts';
import { getSubscriptionById } from '../../store/entities/subscription.ts';

/**
 * The selected subscriptions, by account and name (spec/access.md 3.2).
 *
 * @throws SubscriptionNotFound (404) when there are none.
 */
export async function* listSubscriptionRecords(
  { store: { table } }: Context,
  wanted: SubscriptionSelection,
  page: Page = wholeList,
): AsyncGenerator<Placed<SubscriptionRecord>> {
  const [account = '', name = ''] = page.after ?? [];
  const after = page.after === undefined ? undefined : { account, name };
  let empty = after === undefined;
  for await (const subscription of findSubscriptions(table, wanted, sliceOf(page, after))) {
    empty = false;
    yield placed(describeSubscription(subscription), subscription.account, subscription.name);
  }
  if (empty) throw subscriptionNotFound(wanted);
}

/**
 * The subscription with an id; hyphens and capitals in the id are accepted (spec/access.md 3.2).
 *
 * @throws SubscriptionNotFound (404).
 */
export async function getSubscriptionRecord({ store: { table } }: Context, id: string): Promise<SubscriptionRecord> {
  const known = readId(id);
  const found = known === undefined ? undefined : await getSubscriptionById(table, known);
  return describeSubscription(found ?? fail('SubscriptionNotFound', `No subscription with the id ${id} found`));
}
