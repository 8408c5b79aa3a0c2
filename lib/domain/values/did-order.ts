import type { DidKey } from '../../contract/schemas/did.ts';

/** The sort key of a DID by scope and name: the separator sorts before all characters that they may contain. */
export function didSortKey({ scope, name }: DidKey): string {
  return `${scope}\u0000${name}`;
}

/** Sorts DIDs by scope and name. */
export function byScopeAndName(a: DidKey, b: DidKey): number {
  return didSortKey(a) < didSortKey(b) ? -1 : 1;
}
