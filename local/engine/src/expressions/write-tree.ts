import { attributeOf, type AttributeValue, emptyItem, type Item } from '../values/attribute-value.ts';
import { isList, listChildren, type PathTree } from './path-tree.ts';

/**
 * Whether an item has the maps and lists in which the paths of a tree end.
 *
 * @param isOptional - whether the place of a leaf may be missing.
 */
export function hasPlaces(item: Item, tree: PathTree<number>, isOptional: (leaf: number) => boolean): boolean {
  for (const [name, child] of tree.children) {
    if (!hasPlace(attributeOf(item, name as string), child, isOptional)) return false;
  }
  return true;
}

function hasPlace(
  value: AttributeValue | undefined,
  tree: PathTree<number>,
  isOptional: (leaf: number) => boolean,
): boolean {
  if (tree.end !== undefined) return true;
  if (value === undefined) return everyLeaf(tree, isOptional);
  if (!isList(tree)) return 'M' in value && hasPlaces(value.M, tree, isOptional);
  if (!('L' in value)) return false;
  for (const [index, child] of tree.children) {
    if (!hasPlace(value.L[index as number], child, isOptional)) return false;
  }
  return true;
}

function everyLeaf(tree: PathTree<number>, isOptional: (leaf: number) => boolean): boolean {
  if (tree.end !== undefined) return isOptional(tree.end.leaf);
  return [...tree.children.values()].every((child) => everyLeaf(child, isOptional));
}

/** The values for the leaves of a tree; undefined removes. */
type Values = readonly (AttributeValue | undefined)[];

/** Writes values at the leaves of a tree. Copies only the maps and lists on the path. */
export function writeTree(item: Item, tree: PathTree<number>, values: Values): Item {
  const result = Object.assign(emptyItem(), item);
  for (const [step, child] of listChildren(tree)) {
    const name = step as string;
    const value = writeValue(attributeOf(item, name), child, values);
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}

function writeValue(
  old: AttributeValue | undefined,
  tree: PathTree<number>,
  values: Values,
): AttributeValue | undefined {
  if (tree.end !== undefined) return values[tree.end.leaf];
  if (old === undefined) return undefined;
  if ('M' in old) return { M: writeTree(old.M, tree, values) };
  return 'L' in old ? { L: writeList(old.L, tree, values) } : old;
}

/** Indexes refer to the original list. Values beyond its end are appended in the order of their indexes. */
function writeList(list: readonly AttributeValue[], tree: PathTree<number>, values: Values): AttributeValue[] {
  const result: (AttributeValue | undefined)[] = [...list];
  for (const [step, child] of listChildren(tree)) {
    const index = step as number;
    const value = writeValue(list[index], child, values);
    if (index < list.length) result[index] = value;
    else result.push(value);
  }
  return result.filter((value) => value !== undefined);
}
