import { type Path, printPath } from './path.ts';
import type { ExpressionKind } from './syntax.ts';
import { invalidExpression } from './token-reader.ts';

/** Paths by their steps, with what belongs to each path at its end. */
export interface PathTree<T> {
  readonly children: Map<string | number, PathTree<T>>;
  end?: { readonly path: Path; readonly leaf: T };
}

/** A tree without paths. */
export function emptyTree<T>(): PathTree<T> {
  return { children: new Map() };
}

/**
 * Adds a path that shares no place with those in a tree.
 *
 * @throws ValidationException when one of the two leads to the other, or they need a map and a list at one place.
 */
export function addPath<T>(tree: PathTree<T>, path: Path, leaf: T, kind: ExpressionKind): void {
  let node = tree;
  for (const step of path) {
    if (node.end !== undefined) throw collision('overlap', path, node, kind);
    const [other] = node.children.keys();
    if (other !== undefined && typeof other !== typeof step) throw collision('conflict', path, node, kind);
    let child = node.children.get(step);
    if (child === undefined) {
      child = emptyTree();
      node.children.set(step, child);
    }
    node = child;
  }
  if (node.end !== undefined || node.children.size > 0) throw collision('overlap', path, node, kind);
  node.end = { path, leaf };
}

function collision<T>(what: 'overlap' | 'conflict', path: Path, tree: PathTree<T>, kind: ExpressionKind) {
  return invalidExpression(
    kind,
    `Two document paths ${what} with each other; must remove or rewrite one of these paths; ` +
      `path one: ${printPath(path)}, path two: ${printPath(lastPath(tree))}`,
  );
}

/** The path that was added last below a place. */
function lastPath<T>(tree: PathTree<T>): Path {
  if (tree.end !== undefined) return tree.end.path;
  const last = [...tree.children.values()].at(-1);
  return last === undefined ? [] : lastPath(last);
}

/**
 * The children of a place: members of a list by their indexes, members of a map in the order of the text.
 * Paths are added from the last one of a text to the first, as AWS looks for collisions.
 */
export function listChildren<T>({ children }: PathTree<T>): [string | number, PathTree<T>][] {
  const all = [...children];
  if (all.length < 2) return all;
  return typeof all[0]?.[0] === 'number' ? all.sort(([one], [other]) => Number(one) - Number(other)) : all.toReversed();
}

/** Whether the children of a place are members of a list. */
export function isList<T>({ children }: PathTree<T>): boolean {
  const [first] = children.keys();
  return typeof first === 'number';
}
