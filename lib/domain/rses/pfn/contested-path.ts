import type { DidKey } from '../../../contract/schemas/did.ts';
import { RucioError } from '../../../errors.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { findPathAlgorithm, findTwins } from './path-algorithms.ts';

/** What of an RSE tells whether its paths may be those of several DIDs. */
export type PathedRse = Pick<Rse, 'rse' | 'attributes' | 'deterministic'>;

/** The path on a deterministic RSE that another DID could have, too; by the algorithm `hash` hardly any file has one. */
export function findContestedPath(rse: PathedRse, did: DidKey): string | undefined {
  if (!rse.deterministic) return undefined;
  try {
    return findTwins(rse, did).length === 0 ? undefined : findPathAlgorithm(rse)(did);
  } catch (error) {
    // An unknown algorithm tells no path.
    if (error instanceof RucioError) return undefined;
    throw error;
  }
}
