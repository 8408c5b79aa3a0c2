import { RucioError } from '../../../errors.ts';
import type { Did } from '../../../store/entities/did.ts';
import type { ActiveSubscription } from './active.ts';
import { matches } from './matches.ts';

/** Whether a subscription that makes rules wants a collection, or cannot say so now: then it is to be tried again. */
export function mayMatch({ subscription, filter }: ActiveSubscription, did: Did): boolean {
  try {
    return !subscription.dryRun && matches(did, filter);
  } catch (error) {
    if (error instanceof RucioError) return true;
    throw error;
  }
}
