import { createHash } from 'node:crypto';

import type { DidKey } from '../contract/schemas/did.ts';
import { type Item, stagedBatches } from './items/item.ts';
import { configKeys } from './keys/config-keys.ts';
import { didKeys } from './keys/did-keys.ts';
import { isEncodablePart, isKeyPart, isSortKey, type Key } from './keys/key-parts.ts';
import { rseKeys } from './keys/rse-keys.ts';
import { ruleKeys } from './keys/rule-keys.ts';
import { subscriptionKeys } from './keys/subscription-keys.ts';

/** A thing of the catalogue that has revisions, as the path of a request names it. */
export type Resource =
  | { readonly kind: 'did'; readonly did: DidKey }
  | { readonly kind: 'rule'; readonly id: string }
  | { readonly kind: 'rse'; readonly name: string }
  | { readonly kind: 'subscription'; readonly account: string; readonly name: string }
  | { readonly kind: 'option'; readonly section: string; readonly option: string };

/**
 * The item of a resource; undefined where there is none.
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

/** Whether an item is what an RSE is found by: it says nothing but which RSE that is. */
export function isPointer(item: Item): boolean {
  return item.PK.startsWith(rseKeys.name('').PK);
}

function keyOfResource(resource: Exclude<Resource, { kind: 'rse' }>): Key | undefined {
  switch (resource.kind) {
    case 'did':
      return isKeyPart(resource.did.scope) && isKeyPart(resource.did.name) ? didKeys.did(resource.did) : undefined;
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

/** What tells one state of a resource from all others: the number of its changes, and of which thing of that name. */
export function stateOf({ rev, createdAt, updatedAt }: Item) {
  return { rev, createdAt, updatedAt };
}

/**
 * The entity tag of a resource, with its quotes. While a bulk request has a change of it under way it is another one before
 * and after, and what is written on condition of it waits for that request.
 */
export function tagOf(item: Item): string {
  const { rev = 0, createdAt = 0, updatedAt = 0 } = stateOf(item);
  const state = JSON.stringify([item.PK, item.SK, createdAt, updatedAt, stagedBatches(item).toSorted()]);
  return `"${String(rev)}-${createHash('sha256').update(state).digest('base64url').slice(0, 12)}"`;
}

/** Whether an item has a change under way, of which one cannot tell from the item alone whether it is seen. */
export function isUnsettled(item: Item): boolean {
  return stagedBatches(item).length > 0;
}
