import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail } from '../../../errors.ts';
import { nameLimits } from '../../../policy/limits.ts';
import { compilePath, namesScope } from '../../../policy/template.ts';
import type { Rse } from '../../../store/entities/rse.ts';

import policy from '#policy';

/** Computes the path of a file from its scope and name; undefined: it has none. */
interface Algorithm {
  readonly pathOf: (did: DidKey) => string | undefined;
  /** Whether few other DIDs can have the same path, which {@link findTwins} tells. */
  readonly hasFewTwins: boolean;
}

/** The algorithms of the policy by name (spec/rses.md 6.1). */
const algorithms: ReadonlyMap<string, Algorithm> = new Map(
  Object.entries(policy.paths).map(([name, rule]) => {
    const compute = compilePath(rule);
    const pathOf = typeof rule === 'string' ? compute : (did: DidKey) => attempt(() => compute(did));
    return [name, { pathOf, hasFewTwins: namesScope(rule) }];
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

/** The folders that the algorithms put between a scope and a name. */
const folderCounts = [0, 2];

/**
 * The other DIDs that would have the same path on a deterministic RSE, by an algorithm that has few of them: `user.bob:sub/f` and
 * `user.bob.sub:f` by `identity`, and a few by `hash`, whose folders may be those of a scope. Pure: they need not exist.
 */
export function findTwins({ pathOf }: Algorithm, did: DidKey): DidKey[] {
  const path = collapse(pathOf(did) ?? '');
  const parts = path.split('/');
  const twins = new Map<string, DidKey>();
  for (let folders = 1; folders < parts.length; folders += 1) {
    for (const between of folderCounts) {
      const scope = parts.slice(0, folders).join('.');
      const name = parts.slice(folders + between).join('/');
      if (name === '') continue;
      // A name may begin with a slash, which storages skip.
      for (const twin of [
        { scope, name },
        { scope, name: `/${name}` },
      ])
        if (isPossible(twin) && collapse(pathOf(twin) ?? '') === path) twins.set(`${twin.scope}:${twin.name}`, twin);
    }
  }
  twins.delete(`${did.scope}:${did.name}`);
  return [...twins.values()];
}

/** The longest name of a scope. */
const maxScopeLength = policy.scope.longest ?? nameLimits.scope.longest;

const isPossible = ({ scope }: DidKey) => scope.length <= maxScopeLength;

const collapse = (path: string) => path.replaceAll(/\/{2,}/g, '/');
