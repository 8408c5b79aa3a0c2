import { RucioError } from '../../../errors.ts';
import { log } from '../../../log.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, getDid } from '../../../store/entities/did.ts';
import {
  deleteMatchFailure,
  getMatchFailure,
  type MatchFailure,
  putMatchFailure,
} from '../../../store/entities/subscription-match.ts';
import { getSubscriptionById, type Subscription } from '../../../store/entities/subscription.ts';
import { insertWork, type SubscriptionTask } from '../../../store/entities/work.ts';
import type { Worker } from '../../values/worker.ts';
import { isActive, toActive } from './active.ts';
import { nextTry } from './apply.ts';
import { CheckedTerms } from './checked-terms.ts';
import { isWanted, sinceOf } from './newness.ts';
import { planMatch, type PlannedMatch } from './plan-match.ts';

type MatchTask = Extract<SubscriptionTask, { readonly kind: 'match' }>;

/** How often a match is tried: at once, and after 1, 3, 7, 15 and 31 minutes. */
const mostAttempts = 6;

/**
 * Tries to match a collection again. What still cannot be done is noted once more, at last in the list of failures of the
 * subscription.
 */
export const matchAgain: Worker<MatchTask> = async ({ now }, latest, { task }) => {
  const table = latest.latest();
  const { subscriptionId: id, templates: places } = task;
  const [subscription, did] = await Promise.all([getSubscriptionById(table, id), getDid(table, task.did)]);
  // One that is new again has a match of its own.
  const isOver = did === undefined || !isWanted(did) || sinceOf(did) !== task.since;
  if (subscription === undefined || isOver) return { writes: [] };
  const { writes, failure } = await plan(table, { subscription, did, places, now });
  const former = await getMatchFailure(table, id, did);
  if (failure === undefined) return { writes: [...writes, ...(former ? [deleteMatchFailure(id, former)] : [])] };
  const attempts = task.attempts + 1;
  const templates = failure.places && { templates: failure.places };
  if (attempts < mostAttempts) {
    const { templates: _former, ...rest } = task;
    return { writes: [...writes, insertWork({ ...rest, ...templates, attempts }, nextTry(attempts, now))] };
  }
  log.error('a subscription has failed for a DID', { subscription: id, did: task.did, error: failure.error });
  const { name: exception, message } = failure.error;
  const { type: didType } = did;
  const failed: MatchFailure = { did: task.did, didType, ...templates, exception, message, attempts, failedAt: now };
  return { writes: [...writes, putMatchFailure(id, failed, former)] };
};

interface Again {
  readonly subscription: Subscription;
  readonly did: Did;
  readonly places: readonly number[] | undefined;
  readonly now: number;
}

async function plan(table: Table, { subscription, did, places, now }: Again): Promise<PlannedMatch> {
  if (isActive(subscription, now) && !subscription.dryRun) {
    return planMatch(table, { active: toActive(subscription), did, places }, { checked: new CheckedTerms(), now });
  }
  const error = new RucioError('SubscriptionNotFound', `Subscription ${subscription.name} is not active`);
  return { isMatch: true, rules: [], writes: [], failure: { ...(places && { places }), error } };
}
