import { pathToRegexp } from 'path-to-regexp';

import type { Route } from '../contract/route.ts';

/** A route that was found, with its path parameters as they are in the path. */
export interface FoundRoute<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern<T> {
  readonly value: T;
  readonly expression: RegExp;
  readonly names: readonly string[];
}

/** Finds routes by method and path. Of several that fit, it finds the most specific one. */
export class RouteTable<T> {
  readonly #patterns: ReadonlyMap<string, readonly Pattern<T>[]>;

  /** @param routes The routes, each with the value to find. */
  constructor(routes: Iterable<readonly [route: Pick<Route, 'method' | 'path'>, value: T]>) {
    const grouped = Map.groupBy(routes, ([{ method }]) => method as string);
    const patternsOf = (group: readonly (readonly [Pick<Route, 'path'>, T])[]) =>
      group
        .toSorted(([{ path }], [other]) => compareSpecificity(path, other.path))
        .map(([{ path }, value]) => compile(path, value));
    this.#patterns = new Map(Array.from(grouped, ([method, group]) => [method, patternsOf(group)]));
  }

  /** The route of a method and a path; a slash at the end is optional, and part of a greedy parameter that is there. */
  find(method: string, path: string): FoundRoute<T> | undefined {
    for (const { value, expression, names } of this.#patterns.get(method) ?? []) {
      const match = expression.exec(path);
      if (match === null) continue;
      const params: Record<string, string> = {};
      for (const [index, name] of names.entries()) params[name] = match[index + 1] ?? '';
      return { value, params };
    }
    return undefined;
  }
}

function compile<T>(path: string, value: T): Pattern<T> {
  const { regexp, keys } = pathToRegexp(path.replace(/\/$/, '').replaceAll('**:', '*'), { sensitive: true });
  return { value, expression: regexp, names: keys.map(({ name }) => name) };
}

/** The kinds of segments, the most specific first. */
const [literal, parameter, greedy] = [0, 1, 2] as const;

const kindOf = (segment: string) =>
  segment.startsWith('**:') ? greedy : segment.startsWith(':') ? parameter : literal;

/**
 * Compares the kinds of the segments of two paths: from the start until both have a greedy parameter, then from the end. A longer
 * path comes before a shorter one.
 */
function compareSpecificity(one: string, other: string): number {
  const [left = [], right = []] = [one, other].map((path) => path.split('/').map(kindOf));
  return compareKinds(left, right) || compareKinds(left.toReversed(), right.toReversed()) || right.length - left.length;
}

function compareKinds(left: readonly number[], right: readonly number[]): number {
  for (const [index, kind] of left.entries()) {
    const order = kind - (right[index] ?? kind);
    if (order !== 0 || kind === greedy) return order;
  }
  return 0;
}
