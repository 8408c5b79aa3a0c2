import type { SubscriptionRecord } from '../../contract/schemas/subscription.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { describeSubscription } from '../../domain/subscriptions/describe-subscription.ts';
import { findSubscriptions, subscriptionNotFound, type WantedSubscriptions } from '../../domain/subscriptions/find.ts';
import type { Context } from '../../domain/values/context.ts';
import { readId } from '../../domain/values/ids.ts';
import { fail } from '../../errors.ts';
import { getSubscriptionById as getById } from '../../store/entities/subscription.ts';

/**
 * The subscriptions that are wanted, by account and name (spec/access.md 3.2).
 *
 * @throws SubscriptionNotFound (404) when there are none.
 */
export async function* listSubscriptions(
  { store: { table } }: Context,
  wanted: WantedSubscriptions,
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
 * The subscription of an id, which may be written with hyphens and in capitals (spec/access.md 3.2).
 *
 * @throws SubscriptionNotFound (404).
 */
export async function getSubscriptionById({ store: { table } }: Context, id: string): Promise<SubscriptionRecord> {
  const known = readId(id);
  const found = known === undefined ? undefined : await getById(table, known);
  return describeSubscription(found ?? fail('SubscriptionNotFound', `No subscription with the id ${id} found`));
}
