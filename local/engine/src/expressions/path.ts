import { attributeOf, type AttributeValue, type Item } from '../values/attribute-value.ts';

/** A document path: the name of an attribute, then names of map members and indexes of list members. */
export type Path = readonly (string | number)[];

/** The value at a path; undefined if the item has none there. */
export function readPath(item: Item, path: Path): AttributeValue | undefined {
  let value = attributeOf(item, path[0] as string);
  for (let i = 1; value !== undefined && i < path.length; i += 1) {
    const step = path[i] as string | number;
    if (typeof step === 'number') value = 'L' in value ? value.L[step] : undefined;
    else value = 'M' in value ? attributeOf(value.M, step) : undefined;
  }
  return value;
}

/** The text of a path in error messages, for example `[a, [1], b]`. */
export function printPath(path: Path): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`;
}

/** Whether two paths are equal. */
export function equalPaths(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((step, i) => step === right[i]);
}

/** The first attributes of paths, each once. */
export function listAttributes(paths: readonly Path[]): readonly string[] {
  return [...new Set(paths.map((path) => path[0] as string))];
}
