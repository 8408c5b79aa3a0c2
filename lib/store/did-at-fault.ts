import type { DidKey } from '../contract/schemas/did.ts';
import { ItemTooLarge } from './items/item-too-large.ts';
import { Collision, LostRace } from './items/plan.ts';
import { didOf, isDidItem } from './keys/did-keys.ts';

/**
 * The DID for whose item a plan failed: it has no room for the change, or other writers kept the plan from it for too long.
 * Undefined: the failure is not that of one DID.
 */
export function findDidAtFault(error: unknown): DidKey | undefined {
  const cause = error instanceof Error && !(error instanceof ItemTooLarge) ? error.cause : error;
  const isOfItem = cause instanceof ItemTooLarge || cause instanceof LostRace || cause instanceof Collision;
  const key = isOfItem ? cause.key : undefined;
  return key !== undefined && isDidItem(key) ? didOf(key) : undefined;
}
