import { RucioError } from '../../../errors.ts';
import { log } from '../../../log.ts';
import type { Table } from '../../../store/batches/table.ts';
import { getDeletedDids, requireStillDeleted } from '../../../store/entities/deleted-did.ts';
import { asCollection, type CollectionDid, getDid } from '../../../store/entities/did.ts';
import {
  deleteMatchFailure,
  getMatchFailure,
  type MatchFailure,
  planForgettingMatch,
  putMatchFailure,
} from '../../../store/entities/subscription-match.ts';
import { getSubscriptionById, type Subscription } from '../../../store/entities/subscription.ts';
import { insertWork, type SubscriptionTask } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import type { Worker } from '../../values/worker.ts';
import { isActiveSubscription, toActiveSubscription } from './active-subscriptions.ts';
import { nextRetryAt } from './apply-match.ts';
import { CheckedTerms } from './checked-terms.ts';
import { isMatchable, newSince } from './newness.ts';
import { planMatch, type PlannedMatch } from './plan-match.ts';

type MatchTask = Extract<SubscriptionTask, { readonly kind: 'match' }>;

/** The most attempts at a match: at once, and after 1, 3, 7, 15 and 31 minutes. */
const maxAttempts = 6;

/**
 * Retries a match. If it fails again, the next retry is scheduled; after the last one the failure is listed with the
 * subscription.
 */
export const matchAgain: Worker<MatchTask> = async ({ now }, latest, { task }) => {
  const table = latest.latest();
  const { subscriptionId: id, templates: places } = task;
  const [subscription, found] = await Promise.all([getSubscriptionById(table, id), getDid(table, task.did)]);
  if (subscription === undefined) return { writes: [] };
  if (found === undefined) return { writes: await planLaterMatch(table, task) };
  const did = asCollection(found);
  // A collection that became new again since has its own match.
  if (did === undefined || !isMatchable(did) || newSince(did) !== task.since) return { writes: [] };
  const { writes, failure } = await plan(table, { subscription, did, places, now });
  const former = await getMatchFailure(table, id, did);
  if (failure === undefined) return { writes: [...writes, ...(former ? [deleteMatchFailure(id, former)] : [])] };
  const attempts = task.attempts + 1;
  const templates = failure.places && { templates: failure.places };
  if (attempts < maxAttempts) {
    const { templates: _former, ...rest } = task;
    return { writes: [...writes, insertWork({ ...rest, ...templates, attempts }, nextRetryAt(attempts, now))] };
  }
  log.error('a subscription has failed for a DID', { subscription: id, did: task.did, error: failure.error });
  const { name: exception, message } = failure.error;
  const { type: didType } = did;
  const failed: MatchFailure = { did: task.did, didType, ...templates, exception, message, attempts, failedAt: now };
  return { writes: [...writes, putMatchFailure(id, failed, former)] };
};

/**
 * The writes that let a deleted DID match once more if it is resurrected: as in Rucio, it comes back as new if it was not
 * processed.
 */
async function planLaterMatch(table: Table, { subscriptionId, did, since }: MatchTask): Promise<Write[]> {
  const [[deleted], forgetting] = await Promise.all([
    getDeletedDids(table, [did]),
    planForgettingMatch(table, subscriptionId, { ...did, since }),
  ]);
  return deleted === undefined || forgetting === undefined ? [] : [forgetting, requireStillDeleted(deleted)];
}

interface Again {
  readonly subscription: Subscription;
  readonly did: CollectionDid;
  readonly places: readonly number[] | undefined;
  readonly now: number;
}

async function plan(table: Table, { subscription, did, places, now }: Again): Promise<PlannedMatch> {
  if (isActiveSubscription(subscription, now) && !subscription.dryRun) {
    return planMatch(
      table,
      { active: toActiveSubscription(subscription), did, places },
      { checked: new CheckedTerms(), now },
    );
  }
  const error = new RucioError('SubscriptionNotFound', `Subscription ${subscription.name} is not active`);
  return { isMatch: true, rules: [], writes: [], failure: { ...(places && { places }), error } };
}
