import type { DidKey } from '../../contract/schemas/did.ts';
import type { Page, Position } from '../paging/page.ts';

/** The DID after which a page begins, in lists whose cursors are a scope and a name. */
export function readDidAfter({ after }: Page): DidKey | undefined {
  const [scope = '', name = ''] = after ?? [];
  return after === undefined ? undefined : { scope, name };
}

/**
 * The position before the content of the DID at a place of a walk. A place is the path down to a DID, as scopes and
 * names in turn. As a position it means: after that DID and its content.
 */
export function positionInside(place: Position): Position {
  return [...place, ''];
}

/** The path of a position of a walk, and whether the content of its last DID is still to come. */
export function readPlace(position: Position): { readonly path: readonly DidKey[]; readonly isInside: boolean } {
  const path: DidKey[] = [];
  for (let index = 0; index + 1 < position.length; index += 2) {
    path.push({ scope: position[index] ?? '', name: position[index + 1] ?? '' });
  }
  return { path, isInside: position.length % 2 === 1 };
}
