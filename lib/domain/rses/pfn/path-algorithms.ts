import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail } from '../../../errors.ts';
import { nameLimits } from '../../../policy/limits.ts';
import { compilePath, foldersBetween } from '../../../policy/template.ts';
import type { Rse } from '../../../store/entities/rse.ts';

import policy from '#policy';

/** Computes the path of a file from its scope and name; undefined: it has none. */
interface Algorithm {
  readonly pathOf: (did: DidKey) => string | undefined;
  /**
   * The folders between scope and name, where so few other DIDs can have the same path that {@link findTwins} tells them;
   * undefined: each path is claimed.
   */
  readonly between: number | undefined;
}

/** The algorithms of the policy by name (spec/rses.md 6.1). */
const algorithms: ReadonlyMap<string, Algorithm> = new Map(
  Object.entries(policy.paths).map(([name, rule]) => {
    const compute = compilePath(rule);
    const pathOf = typeof rule === 'string' ? compute : (did: DidKey) => attempt(() => compute(did));
    return [name, { pathOf, between: foldersBetween(rule) }];
  }),
);

/** Functions throw for files that have no path. */
function attempt(compute: () => string): string | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

/** The attribute of an RSE that names its algorithm. */
export const algorithmKey = 'lfn2pfn_algorithm';

/** The names that the attribute may have. */
export const algorithmNames: readonly string[] = ['default', ...algorithms.keys()];

/**
 * The algorithm of a deterministic RSE that computes the path of a file below the prefix of a protocol.
 *
 * @throws InvalidObject (400) when the RSE names an unknown algorithm.
 */
export function findPathAlgorithm({ rse, attributes }: Pick<Rse, 'rse' | 'attributes'>): Algorithm {
  const name = String(attributes[algorithmKey] || policy.defaultPath);
  const known = algorithms.get(name === 'default' ? policy.defaultPath : name);
  return known ?? fail('InvalidObject', `RSE ${rse} has the unknown lfn2pfn_algorithm ${name}`);
}

/**
 * The other DIDs that would have the same path on a deterministic RSE, by an algorithm that has few of them: `user.bob:sub/f` and
 * `user.bob.sub:f` by `identity`, and a few by `hash`, whose folders may be those of a scope. Pure: they need not exist.
 */
export function findTwins({ pathOf, between = 0 }: Algorithm, did: DidKey): DidKey[] {
  const path = collapse(pathOf(did) ?? '');
  const twins = splitPath(path, between).filter((twin) => isPossible(twin) && collapse(pathOf(twin) ?? '') === path);
  return twins.filter(({ scope, name }) => scope !== did.scope || name !== did.name);
}

/**
 * The DIDs that a path may be of, the likely ones first: scopes of users become folders, so a scope may be one folder or several.
 *
 * @param between The folders that the algorithm puts between scope and name.
 */
export function splitPath(path: string, between: number): DidKey[] {
  const parts = path.split('/');
  const counts = Array.from({ length: parts.length - 1 }, (_none, index) => index + 1);
  // Most scopes of users and groups have a folder for each of two parts.
  const likely = parts[0] === 'user' || parts[0] === 'group' ? [...counts.slice(1), 1] : counts;
  return likely.flatMap((folders) => {
    const scope = parts.slice(0, folders).join('.');
    const name = parts.slice(folders + between).join('/');
    // A name may begin with a slash, which storages skip.
    return name === '' ? [] : [name, `/${name}`].map((one) => ({ scope, name: one }));
  });
}

/** The longest name of a scope. */
const maxScopeLength = policy.scope.longest ?? nameLimits.scope.longest;

const isPossible = ({ scope }: DidKey) => scope.length <= maxScopeLength;

const collapse = (path: string) => path.replaceAll(/\/{2,}/g, '/');
