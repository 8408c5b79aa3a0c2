import { attributeOf, type AttributeValue, emptyItem, type Item } from '../values/attribute-value.ts';
import { bindPath } from './bind.ts';
import type { Bindings } from './bindings.ts';
import { parseProjection } from './parse.ts';
import { addPath, emptyTree, listChildren, type PathTree } from './path-tree.ts';
import { listAttributes, type Path } from './path.ts';

/** The projection of an item onto some paths. */
export interface Projection {
  /** The projected item. It shares data with the given item: do not modify it. */
  project(item: Item): Item;
  /** The names of the top-level attributes. */
  readonly attributes: readonly string[];
  readonly paths: readonly Path[];
}

const kind = 'ProjectionExpression';

/**
 * Compiles a ProjectionExpression.
 *
 * @throws ValidationException if it is invalid, or does not match the bindings.
 */
export function compileProjection(text: string, bindings: Bindings): Projection {
  const nodes = parseProjection(text, kind);
  const tree = emptyTree<true>();
  const paths: Path[] = [];
  for (const node of nodes.toReversed()) {
    const path = bindPath(kind, node, bindings);
    addPath(tree, path, true, kind);
    paths.push(path);
  }
  paths.reverse();
  return { project: projectTree(tree), attributes: listAttributes(paths), paths };
}

/** Projects an item onto paths that do not overlap; the remaining members of a list move together. */
export function projectPaths(item: Item, paths: readonly Path[]): Item {
  if (paths.every((path) => path.length === 1)) return projectNames(item, paths as readonly [string][]);
  const tree = emptyTree<true>();
  for (const path of paths.toReversed()) addPath(tree, path, true, kind);
  return projectTree(tree)(item);
}

function projectNames(item: Item, paths: readonly (readonly [string])[]): Item {
  const result = emptyItem();
  for (const [name] of paths) {
    const value = attributeOf(item, name);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function projectTree(tree: PathTree<true>): (item: Item) => Item {
  const children = listChildren(tree).map(([step, child]) => [step as string, projectValue(child)] as const);
  return (item) => {
    const result = emptyItem();
    for (const [name, project] of children) {
      const value = attributeOf(item, name);
      const projected = value === undefined ? undefined : project(value);
      if (projected !== undefined) result[name] = projected;
    }
    return result;
  };
}

/** Projects a value; undefined if nothing is left. */
type ProjectValue = (value: AttributeValue) => AttributeValue | undefined;

function projectValue(tree: PathTree<true>): ProjectValue {
  if (tree.end !== undefined) return (value) => value;
  const [first] = tree.children.keys();
  return typeof first === 'number' ? projectList(tree) : projectMap(tree);
}

function projectMap(tree: PathTree<true>): ProjectValue {
  const project = projectTree(tree);
  return (value) => {
    if (!('M' in value)) return undefined;
    const M = project(value.M);
    for (const _name in M) return { M };
    return undefined;
  };
}

function projectList(tree: PathTree<true>): ProjectValue {
  const children = listChildren(tree).map(([step, child]) => [step as number, projectValue(child)] as const);
  return (value) => {
    if (!('L' in value)) return undefined;
    const L: AttributeValue[] = [];
    for (const [index, project] of children) {
      const member = value.L[index];
      const projected = member === undefined ? undefined : project(member);
      if (projected !== undefined) L.push(projected);
    }
    return L.length === 0 ? undefined : { L };
  };
}
