import type { DidKey } from '../../contract/schemas/did.ts';
import type { Page, Position } from '../paging/page.ts';

/** The DID that the rows of a page come after, in lists whose positions are a scope and a name. */
export function didAfter({ after }: Page): DidKey | undefined {
  const [scope = '', name = ''] = after ?? [];
  return after === undefined ? undefined : { scope, name };
}

/**
 * The position before everything that lies below the DID at a place of a walk. A place is the way down to a DID: scopes
 * and names in turn, which as a position means whatever comes after that DID and what is below it.
 */
export function inside(place: Position): Position {
  return [...place, ''];
}

/** The way down that a position of a walk names, and whether the content of the last DID is still to come. */
export function readPlace(position: Position): { readonly path: readonly DidKey[]; readonly isInside: boolean } {
  const path: DidKey[] = [];
  for (let index = 0; index + 1 < position.length; index += 2) {
    path.push({ scope: position[index] ?? '', name: position[index + 1] ?? '' });
  }
  return { path, isInside: position.length % 2 === 1 };
}
