import { hash as digest } from 'node:crypto';

import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail } from '../../../errors.ts';
import { folderOfScope } from '../../../paths.ts';
import type { Rse } from '../../../store/entities/rse.ts';

/** Computes the path of a file from its scope and name. */
type Algorithm = (did: DidKey) => string;

/** The algorithm of RSEs that name none, or `default`. */
const defaultAlgorithm = 'hash';

/** spec/rses.md 6.1. */
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['hash', hash],
  ['identity', identity],
]);

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
  const name = String(attributes[algorithmKey] || defaultAlgorithm);
  const known = algorithms.get(name === 'default' ? defaultAlgorithm : name);
  return known ?? fail('InvalidObject', `RSE ${rse} has the unknown lfn2pfn_algorithm ${name}`);
}

/** The folders that the algorithms put between a scope and a name. */
const folderCounts = [0, 2];

/**
 * The other DIDs that would have the same path on a deterministic RSE: `user.bob:sub/f` and `user.bob.sub:f` by `identity`, and a
 * few by `hash`, whose folders may be those of a scope. Pure: they need not exist.
 *
 * @throws As {@link findPathAlgorithm}.
 */
export function findTwins(rse: Pick<Rse, 'rse' | 'attributes'>, did: DidKey): DidKey[] {
  const algorithm = findPathAlgorithm(rse);
  const path = collapse(algorithm(did));
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
        if (isPossible(twin) && collapse(algorithm(twin)) === path) twins.set(`${twin.scope}:${twin.name}`, twin);
    }
  }
  twins.delete(`${did.scope}:${did.name}`);
  return [...twins.values()];
}

/** The longest name of a scope. */
const maxScopeLength = 25;

const isPossible = ({ scope }: DidKey) => scope.length <= maxScopeLength;

const collapse = (path: string) => path.replaceAll(/\/{2,}/g, '/');

function hash({ scope, name }: DidKey): string {
  const digits = digest('md5', `${scope}:${name}`);
  return `${folderOfScope(scope)}/${digits.slice(0, 2)}/${digits.slice(2, 4)}/${name}`;
}

function identity({ scope, name }: DidKey): string {
  return `${folderOfScope(scope)}/${name}`;
}
