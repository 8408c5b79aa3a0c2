import { hash as digest } from 'node:crypto';

import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail } from '../../../errors.ts';
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

/**
 * The algorithm of a deterministic RSE that computes the path of a file below the prefix of a protocol.
 *
 * @throws InvalidObject (400) when the RSE names an unknown algorithm.
 */
export function findPathAlgorithm({ rse, attributes }: Pick<Rse, 'rse' | 'attributes'>): Algorithm {
  const name = String(attributes['lfn2pfn_algorithm'] || defaultAlgorithm);
  const known = algorithms.get(name === 'default' ? defaultAlgorithm : name);
  return known ?? fail('InvalidObject', `RSE ${rse} has the unknown lfn2pfn_algorithm ${name}`);
}

function hash({ scope, name }: DidKey): string {
  const digits = digest('md5', `${scope}:${name}`);
  return `${folder(scope)}/${digits.slice(0, 2)}/${digits.slice(2, 4)}/${name}`;
}

function identity({ scope, name }: DidKey): string {
  return `${folder(scope)}/${name}`;
}

/** Scopes of users and groups become nested folders. The prefix of the scope alone decides. */
function folder(scope: string): string {
  return /^(user|group)/.test(scope) ? scope.replaceAll('.', '/') : scope;
}
