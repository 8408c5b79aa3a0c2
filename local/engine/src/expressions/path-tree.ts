import { type Path, printPath } from './path.ts';
import type { ExpressionKind } from './syntax.ts';
import { invalidExpressionError } from './token-reader.ts';

/** A tree of paths by their steps; the end of each path carries data. */
export interface PathTree<T> {
  readonly children: Map<string | number, PathTree<T>>;
  end?: { readonly path: Path; readonly leaf: T };
}

/** A tree without paths. */
export function emptyTree<T>(): PathTree<T> {
  return { children: new Map() };
}

/**
 * Adds a path that overlaps none in the tree.
 *
 * @throws ValidationException if it overlaps one, or if a map and a list are needed at the same place.
 */
export function addPath<T>(tree: PathTree<T>, path: Path, leaf: T, kind: ExpressionKind): void {
  let node = tree;
  for (const step of path) {
    if (node.end !== undefined) throw makeCollisionError('overlap', path, node, kind);
    const [other] = node.children.keys();
    if (other !== undefined && typeof other !== typeof step) throw makeCollisionError('conflict', path, node, kind);
    let child = node.children.get(step);
    if (child === undefined) {
      child = emptyTree();
      node.children.set(step, child);
    }
    node = child;
  }
  if (node.end !== undefined || node.children.size > 0) throw makeCollisionError('overlap', path, node, kind);
  node.end = { path, leaf };
}

function makeCollisionError<T>(what: 'overlap' | 'conflict', path: Path, tree: PathTree<T>, kind: ExpressionKind) {
  return invalidExpressionError(
    kind,
    `Two document paths ${what} with each other; must remove or rewrite one of these paths; ` +
      `path one: ${printPath(path)}, path two: ${printPath(lastPath(tree))}`,
  );
}

/** The path below a node that was added last. */
function lastPath<T>(tree: PathTree<T>): Path {
  if (tree.end !== undefined) return tree.end.path;
  const last = [...tree.children.values()].at(-1);
  return last === undefined ? [] : lastPath(last);
}

/**
 * The children of a node: list members by index, map members in the order of the text. Paths are added from the last to
 * the first of a text, in the order in which AWS looks for overlaps.
 */
export function listChildren<T>({ children }: PathTree<T>): [string | number, PathTree<T>][] {
  const all = [...children];
  if (all.length < 2) return all;
  return typeof all[0]?.[0] === 'number' ? all.sort(([one], [other]) => Number(one) - Number(other)) : all.toReversed();
}

/** Whether the children of a node are list members. */
export function isList<T>({ children }: PathTree<T>): boolean {
  const [first] = children.keys();
  return typeof first === 'number';
}
