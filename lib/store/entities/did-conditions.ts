import { Collision } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import type { Did } from './did-types.ts';

/* Optimistic locks on a DID: conditions that a decision depends on, from the state that was read. */

/**
 * For a decision that must not overlap with a batch: the DID must have no staged change.
 *
 * @returns The condition that the DID has not changed since it was read, not even by a staged change.
 * @throws Collision when it has a staged change.
 */
export function requireSettled(did: Did): { readonly rev: number | undefined } {
  const [batch] = did.unsettled;
  if (batch !== undefined) throw new Collision(batch, didKeys.did(did));
  return { rev: did.rev };
}

/**
 * For a change that a staged change of the same attributes would overwrite.
 *
 * @throws Collision when there is one.
 */
export function requireNotPending(did: Did, attributes: readonly string[]): void {
  for (const attribute of attributes) {
    const batch = did.pending.get(attribute);
    // updatedAt never conflicts: the last writer wins.
    if (batch !== undefined && attribute !== 'updatedAt') throw new Collision(batch, didKeys.did(did));
  }
}

/**
 * For a decision that depends on the content of a DID. Nothing is detached from a file that is an archive.
 *
 * @returns The condition that nothing was detached since the DID was read. The content must be read after the DID.
 * @throws Collision when a detachment is staged.
 */
export function requireNotShrinking(did: Did): { readonly shrinks: number | undefined } {
  if (did.type === 'FILE') return { shrinks: undefined };
  if (did.shrinking !== undefined) throw new Collision(did.shrinking, didKeys.did(did));
  return { shrinks: did.shrinks };
}
