import { changeSubscriptionAsRead, getSubscriptionById } from '../../../store/entities/subscription.ts';
import { insertWork, type SubscriptionTask } from '../../../store/entities/work.ts';
import { type Insert } from '../../../store/items/plan.ts';
import type { Worker } from '../../values/worker.ts';

/**
 * Makes a subscription inactive when its lifetime has ended (spec/access.md 3.7). A task of a former lifetime does
 * nothing.
 */
export const endSubscription: Worker<Extract<SubscriptionTask, { readonly kind: 'endSubscription' }>> = async (
  { now },
  latest,
  { task },
) => {
  const subscription = await getSubscriptionById(latest.latest(), task.subscriptionId);
  const { lifetime, state } = subscription ?? {};
  if (subscription === undefined || lifetime === undefined || lifetime > now || state === 'INACTIVE')
    return { writes: [] };
  return { writes: [changeSubscriptionAsRead(subscription, { state: 'INACTIVE', expiredAt: now, updatedAt: now })] };
};

/**
 * The tasks of a created or changed subscription: its end, and the matching of existing collections.
 *
 * @param lifetime When it ends, in milliseconds since 1970; undefined: not changed.
 */
export function scheduleTasks(
  {
    id,
    lifetime,
    retroactive,
  }: { readonly id: string; readonly lifetime?: number | undefined; readonly retroactive?: boolean | undefined },
  now: number,
): Insert[] {
  return [
    ...(lifetime === undefined
      ? []
      : [insertWork({ kind: 'endSubscription', subscriptionId: id }, Math.max(lifetime, now))]),
    ...(retroactive === true ? [insertWork({ kind: 'matchPast', subscriptionId: id }, now)] : []),
  ];
}
