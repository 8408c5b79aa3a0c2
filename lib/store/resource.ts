import { hash } from 'node:crypto';

import type { DidKey } from '../contract/schemas/did.ts';
import { type Item, stagedBatches } from './items/item.ts';
import { configKeys } from './keys/config-keys.ts';
import { didKeys } from './keys/did-keys.ts';
import { isEncodablePart, isKeyPart, isSortKey, type Key, spellName, textOfKey } from './keys/key-parts.ts';
import { rseKeys } from './keys/rse-keys.ts';
import { ruleKeys } from './keys/rule-keys.ts';
import { subscriptionKeys } from './keys/subscription-keys.ts';

/** A resource with revisions, as the path of a request names it. */
export type Resource =
  | { readonly kind: 'did'; readonly did: DidKey }
  | { readonly kind: 'rule'; readonly id: string }
  | { readonly kind: 'rse'; readonly name: string }
  | { readonly kind: 'subscription'; readonly account: string; readonly name: string }
  | { readonly kind: 'option'; readonly section: string; readonly option: string };

/**
 * Finds the item of a resource; undefined if there is none.
 *
 * @param get Reads an item.
 */
export async function findResource(
  resource: Resource,
  get: (key: Key) => Promise<Item | undefined>,
): Promise<Item | undefined> {
  if (resource.kind === 'rse') {
    const pointer = isEncodablePart(resource.name) ? await get(rseKeys.name(resource.name)) : undefined;
    return pointer === undefined ? undefined : get(rseKeys.rse(String(pointer['id'])));
  }
  const key = keyOfResource(resource);
  return key === undefined ? undefined : get(key);
}

/** Whether an item is the pointer from a name to an RSE. */
export function isRsePointer(item: Item): boolean {
  return item.PK.startsWith(rseKeys.name('').PK);
}

/** Whether two items, perhaps of different times, have the same key. */
export function isSameItem(one: Item, other: Item): boolean {
  return textOfKey(one) === textOfKey(other);
}

function keyOfResource(resource: Exclude<Resource, { kind: 'rse' }>): Key | undefined {
  switch (resource.kind) {
    case 'did':
      return isKeyPart(resource.did.scope) && isKeyPart(spellName(resource.did.name))
        ? didKeys.did(resource.did)
        : undefined;
    case 'rule': {
      const id = resource.id.replaceAll('-', '').toLowerCase();
      return isKeyPart(id) ? ruleKeys.rule(id) : undefined;
    }
    case 'subscription':
      return isKeyPart(resource.account) && isEncodablePart(resource.name)
        ? subscriptionKeys.subscription(resource)
        : undefined;
    case 'option': {
      const key = configKeys.option(resource.section, resource.option);
      return isSortKey(key.SK) ? key : undefined;
    }
  }
}

/** Identifies a state of a resource: its revision, and which resource of that name it is. */
export function stateOf({ rev, createdAt, updatedAt }: Item) {
  return { rev, createdAt, updatedAt };
}

/**
 * The entity tag of a resource, with quotes. Staged changes are part of it, so it differs before, during and after a batch,
 * and writes on condition of it wait for the batch.
 */
export function tagOf(item: Item): string {
  const { rev = 0, createdAt = 0, updatedAt = 0 } = stateOf(item);
  const state = JSON.stringify([item.PK, item.SK, createdAt, updatedAt, stagedBatches(item).toSorted()]);
  return `"${String(rev)}-${hash('sha256', state, 'base64url').slice(0, 12)}"`;
}

/** Whether an item has staged changes, whose visibility the item alone does not tell. */
export function isUnsettled(item: Item): boolean {
  return stagedBatches(item).length > 0;
}
