import type { DidKey } from '../../../contract/schemas/did.ts';
import { RucioError } from '../../../errors.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { findPathAlgorithm, findTwins } from './path-algorithms.ts';

/** Settings of an RSE that decide whether its paths may be those of several DIDs. */
export type PathedRse = Pick<Rse, 'rse' | 'attributes' | 'deterministic'>;

/**
 * The path on a deterministic RSE that another DID could have, too: of every file where paths do not name the scope; by the algorithm
 * `hash` hardly any file has one.
 */
export function findContestedPath(rse: PathedRse, did: DidKey): string | undefined {
  const algorithm = findAlgorithm(rse);
  if (algorithm === undefined) return undefined;
  const isContested = algorithm.between === undefined || findTwins(algorithm, did).length > 0;
  return isContested ? algorithm.pathOf(did) : undefined;
}

/** Whether a file can be on an RSE: the algorithm of a deterministic one may have no path for its name. */
export function hasPath(rse: PathedRse, did: DidKey): boolean {
  const algorithm = findAlgorithm(rse);
  return algorithm === undefined || algorithm.between !== undefined || algorithm.pathOf(did) !== undefined;
}

function findAlgorithm(rse: PathedRse) {
  try {
    return rse.deterministic ? findPathAlgorithm(rse) : undefined;
  } catch (error) {
    // An unknown algorithm tells no path.
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}
