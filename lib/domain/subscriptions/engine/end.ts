import { changeSubscriptionAsRead, getSubscriptionById } from '../../../store/entities/subscription.ts';
import { insertWork, type SubscriptionTask } from '../../../store/entities/work.ts';
import { type Insert } from '../../../store/items/plan.ts';
import type { Worker } from '../../values/worker.ts';

/** Makes a subscription inactive whose lifetime is over (spec/access.md 3.7); a note of a former lifetime does nothing. */
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
 * The notes of what follows when a subscription is made or changed: its end, and the matching of what was there before.
 *
 * @param lifetime When it ends, in milliseconds since 1970; undefined: that is not said now.
 */
export function noteSubscription(
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
