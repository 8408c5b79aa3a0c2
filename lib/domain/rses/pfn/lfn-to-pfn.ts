import type { DidKey } from '../../../contract/schemas/did.ts';
import { findPathFlaw } from '../../../paths.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { assemblePfn } from './assemble-pfn.ts';
import { type Purpose, chooseProtocols } from './choose-protocols.ts';
import { findPathAlgorithm } from './path-algorithms.ts';
import { findProtocolFlaw } from './protocol-flaw.ts';
import { implementation } from './protocol-parts.ts';

/** Implementations whose paths are always the scope, then the name (spec/rses.md 6.2). */
const withoutAlgorithm = new Set(['cache.Default', 'http_cache.Default']);

/** Implementations that put a stored path behind the prefix as it is, with its leading slash (spec/rses.md 6.3). */
const keepsSlash = /^(?:gfal|rclone|ssh|storm|xrootd)\./;

/** The members of an RSE that its PFNs depend on. */
export type Location = Pick<Rse, 'rse' | 'deterministic' | 'attributes' | 'protocols'>;

/**
 * The PFN of a file by one protocol of an RSE (spec/rses.md 6). Pure: does not check that the file exists.
 *
 * @param storedPath The path of the replica; used on a non-deterministic RSE only.
 * @returns undefined on a non-deterministic RSE without a stored path, for a file that has no path by the algorithm, and where {@link findPlaceFlaw} tells a flaw.
 * @throws InvalidObject (400) when the RSE names an unknown algorithm.
 */
export function computePfn(rse: Location, protocol: Protocol, did: DidKey, storedPath?: string): string | undefined {
  if (findPlaceFlaw(rse, protocol, did, storedPath) !== undefined) return undefined;
  const path = rse.deterministic ? computedPath(rse, protocol, did) : belowPrefix(protocol, storedPath);
  return path === undefined ? undefined : assemblePfn(rse, protocol, did, path);
}

/**
 * Why the place of a file on an RSE must not be handed out or used, whatever is in the table. Parameters and errors as of
 * {@link computePfn}.
 */
export function findPlaceFlaw(
  rse: Location,
  protocol: Protocol | undefined,
  did: DidKey,
  storedPath: string | undefined,
): string | undefined {
  const flaw = protocol === undefined ? undefined : findProtocolFlaw(protocol);
  if (flaw !== undefined) return flaw;
  const path = rse.deterministic ? computedPath(rse, protocol, did) : storedPath;
  return path === undefined ? undefined : findPathFlaw(path);
}

/**
 * The path of a file below the prefix of a protocol, without a leading slash. Parameters, `undefined` and errors as of
 * {@link computePfn}.
 *
 * @param protocol Undefined: of an RSE without protocols.
 */
export function computePath(
  rse: Location,
  protocol: Protocol | undefined,
  did: DidKey,
  storedPath: string | undefined,
): string | undefined {
  if (findPlaceFlaw(rse, protocol, did, storedPath) !== undefined) return undefined;
  return trimPath(rse.deterministic ? computedPath(rse, protocol, did) : storedPath);
}

/**
 * The PFN of a file on an RSE by the best protocol for a purpose.
 *
 * @param storedPath As for {@link computePfn}.
 * @returns undefined without a protocol for the purpose, and as {@link computePfn}.
 * @throws The errors of {@link computePfn}.
 */
export function lfnToPfn(rse: Location, did: DidKey, purpose: Purpose, storedPath?: string): string | undefined {
  const [best] = chooseProtocols(rse, purpose);
  return best === undefined ? undefined : computePfn(rse, best, did, storedPath);
}

function computedPath(rse: Location, protocol: Protocol | undefined, did: DidKey): string | undefined {
  return protocol !== undefined && withoutAlgorithm.has(implementation(protocol))
    ? `${did.scope}/${did.name}`
    : findPathAlgorithm(rse).pathOf(did);
}

function belowPrefix(protocol: Protocol, path: string | undefined): string | undefined {
  return keepsSlash.test(implementation(protocol)) ? path : path?.replace(/^\//, '');
}

/** A stored path without a leading and a trailing slash. */
export function trimPath(path: string | undefined): string | undefined {
  return path?.replace(/^\//, '').replace(/\/$/, '');
}
