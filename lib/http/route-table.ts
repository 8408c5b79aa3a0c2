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

  /**
   * The route of a method and a path. Between segments there may be more than one slash, and at the end any number; a greedy
   * parameter keeps all of its slashes but those before it. One at the end of a path keeps those behind it as well, unless the
   * route has a slash there.
   */
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

/** A slash of a route, where a path may have several; only its first one is tried, so that many cost no more. */
const slashes = String.raw`(?<!\/)\/+`;

function compile<T>(path: string, value: T): Pattern<T> {
  const segments = segmentsOf(path);
  const source = segments.map((segment) => slashes + sourceOf(segment)).join('');
  // A DID at the end keeps its slashes.
  const end = segments.at(-1)?.startsWith('**:') === true && !path.endsWith('/') ? '' : String.raw`\/*`;
  return {
    value,
    expression: new RegExp(`^${source}${end}$`, 's'),
    names: segments.flatMap((segment) => /^(?:\*\*)?:(.*)/.exec(segment)?.[1] ?? []),
  };
}

function sourceOf(segment: string): string {
  if (segment.startsWith('**:')) return String.raw`([^/].*?)`;
  return segment.startsWith(':') ? '([^/]+)' : RegExp.escape(segment);
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean);

/** The kinds of segments, the most specific first. */
const [literal, parameter, greedy] = [0, 1, 2] as const;

const kindOf = (segment: string) =>
  segment.startsWith('**:') ? greedy : segment.startsWith(':') ? parameter : literal;

/**
 * Compares the kinds of the segments of two paths: from the start until both have a greedy parameter, then from the end. A longer
 * path comes before a shorter one.
 */
function compareSpecificity(one: string, other: string): number {
  const [left = [], right = []] = [one, other].map((path) => segmentsOf(path).map(kindOf));
  return compareKinds(left, right) || compareKinds(left.toReversed(), right.toReversed()) || right.length - left.length;
}

function compareKinds(left: readonly number[], right: readonly number[]): number {
  for (const [index, kind] of left.entries()) {
    const order = kind - (right[index] ?? kind);
    if (order !== 0 || kind === greedy) return order;
  }
  return 0;
}
