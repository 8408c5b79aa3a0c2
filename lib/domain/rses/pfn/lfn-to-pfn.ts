import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { assemblePfn } from './assemble.ts';
import { type Purpose, suitableProtocols } from './choose.ts';
import { algorithmOf } from './path.ts';
import { implementation } from './protocol.ts';

/** Implementations that know no algorithm: the scope as it is, then the name (spec/rses.md 6.2). */
const flat = new Set(['cache.Default', 'http_cache.Default']);

/** An RSE as far as it takes part in PFNs. */
export type Location = Pick<Rse, 'rse' | 'deterministic' | 'attributes' | 'protocols'>;

/**
 * The PFN of a file by one protocol of an RSE (spec/rses.md 6). Pure: whether there is such a file is not asked.
 *
 * @param storedPath The path of the replica, which a non-deterministic RSE goes by and no other.
 * @returns undefined on a non-deterministic RSE without a stored path.
 * @throws InvalidObject (400) when the RSE names an algorithm that is not known.
 */
export function pfnBy(rse: Location, protocol: Protocol, did: DidKey, storedPath?: string): string | undefined {
  const path = rse.deterministic ? computedPath(rse, protocol, did) : trim(storedPath);
  return path === undefined ? undefined : assemblePfn(rse, protocol, did, path);
}

/**
 * The PFN of a file on an RSE by the protocol that serves a purpose best.
 *
 * @param storedPath As for {@link pfnBy}.
 * @returns undefined when no protocol serves the purpose, and as {@link pfnBy}.
 * @throws As {@link pfnBy}.
 */
export function lfnToPfn(rse: Location, did: DidKey, purpose: Purpose, storedPath?: string): string | undefined {
  const [best] = suitableProtocols(rse, purpose);
  return best === undefined ? undefined : pfnBy(rse, best, did, storedPath);
}

function computedPath(rse: Location, protocol: Protocol, did: DidKey): string {
  return flat.has(implementation(protocol)) ? `${did.scope}/${did.name}` : algorithmOf(rse)(did);
}

function trim(path: string | undefined): string | undefined {
  return path?.replace(/^\//, '').replace(/\/$/, '');
}
