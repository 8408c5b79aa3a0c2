import { log } from '../../../log.ts';
import { asCollection, type CollectionDid, getDid } from '../../../store/entities/did.ts';
import { deleteMatchFailure, getMatchFailure, insertMatch } from '../../../store/entities/subscription-match.ts';
import { insertWork, type SubscriptionTask } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import type { Store } from '../../../store/open-store.ts';
import type { CheckedTerms } from './checked-terms.ts';
import { isMatchable, newSince } from './newness.ts';
import { type Match, planMatch } from './plan-match.ts';

/** Delay of the first retry of a match; it doubles with each further one. */
const firstRetryDelayMs = 60_000;

/** The time of the next retry after a number of attempts, in milliseconds since 1970. */
export function nextRetryAt(attempts: number, now: number): number {
  return now + firstRetryDelayMs * 2 ** (attempts - 1);
}

/** The match was done concurrently. */
class AlreadyMatched extends Error {
  override readonly name = 'AlreadyMatched';
}

/** The context of a match. */
export interface MatchContext {
  readonly store: Store;
  readonly now: number;
  readonly checked: CheckedTerms;
}

/**
 * Creates the rules of a subscription for a collection, once for each time that the collection became new: the plan that
 * creates them also records the match (idempotent). The same plan schedules a retry of what failed.
 */
export async function applyMatch({ store, now, checked }: MatchContext, match: Match): Promise<void> {
  const { id } = match.active.subscription;
  const since = newSince(match.did);
  const recordMatch = () => insertMatch(id, { ...match.did, since }, now, () => new AlreadyMatched());
  const retry = { kind: 'match', subscriptionId: id, did: keyOf(match.did), since, attempts: 1 } as const;
  try {
    await store.write(async (latest) => {
      const table = latest.latest();
      const did = asCollection(await getDid(table, match.did));
      if (did === undefined || !isMatchable(did) || newSince(did) !== since) return [];
      const { isMatch, writes, failure } = await planMatch(table, { ...match, did }, { checked, now });
      if (!isMatch) return [];
      if (failure !== undefined) {
        const { places: templates } = failure;
        return [...writes, recordMatch(), scheduleRetry({ ...retry, ...(templates && { templates }) }, now)];
      }
      return [...writes, recordMatch(), ...(await deleteOldFailure(table, id, did))];
    });
  } catch (error) {
    if (error instanceof AlreadyMatched) return;
    log.error('a subscription could not be applied', { subscription: id, did: retry.did, error: error as Error });
    await store
      .write(async () => [recordMatch(), scheduleRetry(retry, now)])
      .catch((second: unknown) => {
        if (!(second instanceof AlreadyMatched)) throw second;
      });
  }
}

function scheduleRetry(task: Extract<SubscriptionTask, { readonly kind: 'match' }>, now: number): Write {
  return insertWork(task, nextRetryAt(task.attempts, now));
}

/** A collection that was new before may have a failure from that time: delete it. */
async function deleteOldFailure(table: Parameters<typeof getDid>[0], id: string, did: CollectionDid): Promise<Write[]> {
  const failure = did.newAt === undefined ? undefined : await getMatchFailure(table, id, did);
  return failure === undefined ? [] : [deleteMatchFailure(id, failure)];
}

const keyOf = ({ scope, name }: CollectionDid) => ({ scope, name });
