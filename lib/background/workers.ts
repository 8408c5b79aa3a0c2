import { followShown } from '../domain/rules/engine/follow-shown.ts';
import { inject, repair, spread } from '../domain/rules/engine/place-rule.ts';
import { recheck } from '../domain/rules/engine/recheck.ts';
import { unlock } from '../domain/rules/engine/unlock.ts';
import { chargeAccount } from '../domain/rules/life-cycle/charge.ts';
import { removeExpired } from '../domain/rules/life-cycle/remove.ts';
import { stickLocks } from '../domain/rules/life-cycle/stick.ts';
import { matchAgain } from '../domain/subscriptions/engine/again.ts';
import { endSubscription } from '../domain/subscriptions/engine/end.ts';
import { matchPast } from '../domain/subscriptions/engine/past.ts';
import type { Worker } from '../domain/values/worker.ts';
import type { Task } from '../store/entities/work.ts';

/** Who does what, by the kind of the task. */
export const workers: { readonly [K in Task['kind']]: Worker<Extract<Task, { readonly kind: K }>> } = {
  inject,
  spread,
  unlock,
  recheck,
  followShown,
  repair,
  remove: removeExpired,
  charge: chargeAccount,
  stick: stickLocks,
  match: matchAgain,
  matchPast,
  endSubscription,
};
