import { RucioError } from '../../errors.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Slice, Table } from '../../store/batches/table.ts';
import {
  getSubscription,
  getSubscriptionsNamed,
  listAccountsWithSubscription,
  listSubscriptions,
  type Subscription,
} from '../../store/entities/subscription.ts';
import type { SubscriptionKey } from '../../store/values/subscription-key.ts';
import { matchesGlob, readGlob } from '../values/glob.ts';

/** A selection of subscriptions; absent members match all. `*` in the account is a wildcard. */
export interface SubscriptionSelection {
  readonly account?: string;
  readonly name?: string;
}

/** SubscriptionNotFound (404) for a selection. */
export function subscriptionNotFound({ account = '*', name = 'None' }: SubscriptionSelection): RucioError {
  return new RucioError('SubscriptionNotFound', `Subscription for account '${account}' named '${name}' not found`);
}

/** The key of the only possible subscription of a selection; undefined: there can be several. */
export function singleKeyOf({ account = '*', name }: SubscriptionSelection): SubscriptionKey | undefined {
  return account.includes('*') || name === undefined ? undefined : { account, name };
}

/**
 * The subscriptions of a selection, by account and name; `slice` by both. Reads only matches, unless there is text after a
 * `*`.
 */
export async function* findSubscriptions(
  table: Table,
  { account = '*', name }: SubscriptionSelection,
  slice: Slice<SubscriptionKey> = {},
): AsyncGenerator<Subscription> {
  const isPattern = account.includes('*');
  const key = singleKeyOf({ account, ...(name !== undefined && { name }) });
  if (key !== undefined) {
    const found = slice.after === undefined ? await getSubscription(table, key) : undefined;
    if (found !== undefined) yield found;
    return;
  }
  const accounts = isPattern ? { prefix: account.slice(0, account.indexOf('*')) } : { only: account };
  const glob = readGlob(account, /\*/);
  const found = name === undefined ? listSubscriptions(table, accounts, slice) : listNamed(table, name, slice);
  for await (const subscription of found) if (matchesGlob(subscription.account, glob)) yield subscription;
}

async function* listNamed(
  table: Table,
  name: string,
  { from, after, pageSize }: Slice<SubscriptionKey>,
): AsyncGenerator<Subscription> {
  const start = { ...(from === undefined ? {} : { from: from.account }), after: after?.account };
  const accounts = listAccountsWithSubscription(table, name, { ...start, pageSize });
  for await (const chunk of splitIntoChunks(accounts, Math.min(pageSize ?? 100, 100))) {
    yield* await getSubscriptionsNamed(table, name, chunk);
  }
}
