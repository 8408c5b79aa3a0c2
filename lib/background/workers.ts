import { followShown } from '../domain/rules/engine/follow-shown.ts';
import { inject, repair, spread } from '../domain/rules/engine/placement-workers.ts';
import { recheck } from '../domain/rules/engine/recheck.ts';
import { unlock } from '../domain/rules/engine/unlock.ts';
import { chargeAccount } from '../domain/rules/life-cycle/charge-account.ts';
import { markLocksStuck } from '../domain/rules/life-cycle/mark-locks-stuck.ts';
import { removeExpired } from '../domain/rules/life-cycle/remove-rule.ts';
import { endSubscription } from '../domain/subscriptions/engine/end-subscription.ts';
import { matchAgain } from '../domain/subscriptions/engine/match-again.ts';
import { matchPast } from '../domain/subscriptions/engine/match-past.ts';
import type { Worker } from '../domain/values/worker.ts';
import type { Task } from '../store/entities/work.ts';

/** The worker for each kind of task. */
export const workers: { readonly [K in Task['kind']]: Worker<Extract<Task, { readonly kind: K }>> } = {
  inject,
  spread,
  unlock,
  recheck,
  followShown,
  repair,
  remove: removeExpired,
  charge: chargeAccount,
  stick: markLocksStuck,
  match: matchAgain,
  matchPast,
  endSubscription,
};
