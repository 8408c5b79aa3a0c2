import { algorithmKey, algorithmNames } from '../lib/domain/rses/pfn/path-algorithms.ts';
import type { Rse } from '../lib/store/entities/rse.ts';

import policy from '#policy';

/** The members of an RSE that its paths depend on. */
export type PathedRse = Pick<Rse, 'rse' | 'attributes' | 'deterministic'>;

/** The path algorithm of an RSE that the policy does not have; undefined: it has it, or the RSE names none. */
export function findUnknownAlgorithm({ attributes, deterministic }: PathedRse): string | undefined {
  const name = attributes[algorithmKey];
  return deterministic && name && !algorithmNames.includes(String(name)) ? String(name) : undefined;
}

/** An RSE without the algorithm that it names has no paths; one that names none has those of the default. */
export function problemOfPaths(rse: PathedRse): string | undefined {
  const unknown = findUnknownAlgorithm(rse);
  if (unknown !== undefined)
    return `${rse.rse} has the lfn2pfn_algorithm ${unknown}, which the policy does not have: nobody would find its files`;
  if (!rse.deterministic || rse.attributes[algorithmKey] || policy.defaultPath === 'hash') return undefined;
  return `${rse.rse} names no lfn2pfn_algorithm: its files would be at the paths of ${policy.defaultPath}, set it to the former default`;
}
