import { log } from '../../../log.ts';
import { type Did, getDid } from '../../../store/entities/did.ts';
import { deleteMatchFailure, getMatchFailure, insertMatch } from '../../../store/entities/subscription-match.ts';
import { insertWork, type SubscriptionTask } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import type { Store } from '../../../store/open-store.ts';
import type { CheckedTerms } from './checked-terms.ts';
import { isWanted, sinceOf } from './newness.ts';
import { type Match, planMatch } from './plan-match.ts';

/** How long it is waited before a match is tried again for the first time; twice as long each further time, in ms. */
const firstDelay = 60_000;

/** When a match is tried again that was tried so often, in milliseconds since 1970. */
export function nextTry(attempts: number, now: number): number {
  return now + firstDelay * 2 ** (attempts - 1);
}

/** The round is over: somebody has seen to this match. */
class AlreadyMatched extends Error {
  override readonly name = 'AlreadyMatched';
}

/** What a match is carried out with. */
export interface MatchContext {
  readonly store: Store;
  readonly now: number;
  readonly checked: CheckedTerms;
}

/**
 * Does for a collection what a subscription wants, once for each time that the collection was new: the plan that makes the
 * rules remembers it. What cannot be done now is noted in the same plan, to be tried again.
 */
export async function applyMatch({ store, now, checked }: MatchContext, match: Match): Promise<void> {
  const { id } = match.active.subscription;
  const since = sinceOf(match.did);
  const remember = () => insertMatch(id, { ...match.did, since }, now, () => new AlreadyMatched());
  const again = { kind: 'match', subscriptionId: id, did: keyOf(match.did), since, attempts: 1 } as const;
  try {
    await store.write(async (latest) => {
      const table = latest.latest();
      const did = await getDid(table, match.did);
      if (did === undefined || !isWanted(did) || sinceOf(did) !== since) return [];
      const { isMatch, writes, failure } = await planMatch(table, { ...match, did }, { checked, now });
      if (!isMatch) return [];
      if (failure !== undefined) {
        const { places: templates } = failure;
        return [...writes, remember(), note({ ...again, ...(templates && { templates }) }, now)];
      }
      return [...writes, remember(), ...(await forgetFailure(table, id, did))];
    });
  } catch (error) {
    if (error instanceof AlreadyMatched) return;
    log.error('a subscription could not be applied', { subscription: id, did: again.did, error: error as Error });
    await store
      .write(async () => [remember(), note(again, now)])
      .catch((second: unknown) => {
        if (!(second instanceof AlreadyMatched)) throw second;
      });
  }
}

function note(task: Extract<SubscriptionTask, { readonly kind: 'match' }>, now: number): Write {
  return insertWork(task, nextTry(task.attempts, now));
}

/** Where a collection has been new before, there may be a failure that is over now. */
async function forgetFailure(table: Parameters<typeof getDid>[0], id: string, did: Did): Promise<Write[]> {
  const failure = did.newAt === undefined ? undefined : await getMatchFailure(table, id, did);
  return failure === undefined ? [] : [deleteMatchFailure(id, failure)];
}

const keyOf = ({ scope, name }: Did) => ({ scope, name });
