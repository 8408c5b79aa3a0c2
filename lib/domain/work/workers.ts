import type { Task } from '../../store/entities/work.ts';
import { followShown } from '../rules/engine/follow-shown.ts';
import { inject, repair, spread } from '../rules/engine/place-rule.ts';
import { recheck } from '../rules/engine/recheck.ts';
import { unlock } from '../rules/engine/unlock.ts';
import { chargeAccount } from '../rules/life-cycle/charge.ts';
import { removeExpired } from '../rules/life-cycle/remove.ts';
import { stickLocks } from '../rules/life-cycle/stick.ts';
import { matchAgain } from '../subscriptions/engine/again.ts';
import { endSubscription } from '../subscriptions/engine/end.ts';
import { matchPast } from '../subscriptions/engine/past.ts';
import type { Worker } from './worker.ts';

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
