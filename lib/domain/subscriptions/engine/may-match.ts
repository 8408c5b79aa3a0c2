import { RucioError } from '../../../errors.ts';
import type { CollectionDid } from '../../../store/entities/did.ts';
import type { ActiveSubscription } from './active-subscriptions.ts';
import { matchesFilter } from './matches-filter.ts';

/**
 * Whether a subscription matches a collection, and is no dry run. True when matching fails: the attempt then schedules
 * a retry.
 */
export function mayMatch({ subscription, filter }: ActiveSubscription, did: CollectionDid): boolean {
  try {
    return !subscription.dryRun && matchesFilter(did, filter);
  } catch (error) {
    if (error instanceof RucioError) return true;
    throw error;
  }
}
