import { Collision } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import type { Did } from './did.ts';

/* The conditions under which a decision about a DID may take effect, from the DID as it was read. */

/**
 * For a decision that must not overlap with a bulk request: nothing may be under way on the DID.
 *
 * @returns The condition that nothing has begun since the DID was read.
 * @throws Collision when something is under way.
 */
export function settled(did: Did): { readonly rev: number | undefined } {
  const [batch] = did.unsettled;
  if (batch !== undefined) throw new Collision(batch, didKeys.did(did));
  return { rev: did.rev };
}

/**
 * For a change that would be overwritten when a bulk request sets the same attributes a moment later.
 *
 * @throws Collision when one is about to.
 */
export function requireNotPending(did: Did, attributes: readonly string[]): void {
  for (const attribute of attributes) {
    const batch = did.pending.get(attribute);
    // The time of the last change is nobody's decision.
    if (batch !== undefined && attribute !== 'updatedAt') throw new Collision(batch, didKeys.did(did));
  }
}

/**
 * For a decision that rests on what is attached to a collection.
 *
 * @returns The condition that nothing was detached since the DID was read; what is attached must be read after it.
 * @throws Collision when something is about to be detached.
 */
export function holding(did: Did): { readonly shrinks: number | undefined } {
  if (did.shrinking !== undefined) throw new Collision(did.shrinking, didKeys.did(did));
  return { shrinks: did.shrinks };
}
