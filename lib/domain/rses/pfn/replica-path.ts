import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail } from '../../../errors.ts';
import { findNewPathFlaw, findTextFlaw } from '../../../paths.ts';
import { pythonRepr } from '../../../python/text.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import { formatDid } from '../../values/format-did.ts';
import { noProtocolError, chooseProtocols } from './choose-protocols.ts';
import { type Location, computePfn } from './lfn-to-pfn.ts';
import { parsePfn } from './parse-pfn.ts';

/**
 * The path to store with a replica that is registered with a PFN (spec/dids.md 2.6, spec/replication.md 1.2): on a
 * non-deterministic RSE the path below the prefix; on a deterministic one undefined, since the PFN can be computed.
 *
 * @throws RSEProtocolNotSupported (404) when the RSE has no protocol of that scheme for writing; InvalidPath (400) when
 *   the PFN differs from the computed one, or when storages may read it in different ways (`lib/paths.ts`);
 *   RSEFileNameNotSupported (400) when its host, port or prefix is wrong.
 */
export function replicaPath(rse: Location, did: DidKey, pfn: string): string | undefined {
  const protocols = writingProtocols(rse, pfn);
  const flaw = findTextFlaw(pfn);
  if (flaw !== undefined) return failFlawed({ rse, did, pfn }, flaw);
  if (!rse.deterministic) return parseBy(protocols, { rse, did, pfn });
  const expected = protocols.flatMap((protocol) => computePfn(rse, protocol, did) ?? []).map(canonical);
  if (expected.includes(canonical(pfn))) return undefined;
  const wanted = [...new Set(expected)].map(pythonRepr).join(', ');
  return fail(
    'InvalidPath',
    `One of the PFNs provided {${pythonRepr(canonical(pfn))}} for [${pythonRepr({ scope: did.scope, name: did.name })}] ` +
      `does not match the Rucio expected PFNs: {${wanted}}`,
  );
}

/** The protocols that can have written a PFN: those for wide-area writes, then those for local ones. */
function writingProtocols(rse: Location, pfn: string): Protocol[] {
  const schemes = [pfn.split(':')[0] ?? ''];
  const wan = chooseProtocols(rse, { operation: 'write', domain: 'wan', schemes });
  const lan = chooseProtocols(rse, { operation: 'write', domain: 'lan', schemes });
  if (wan.length + lan.length === 0) throw noProtocolError(rse, { operation: 'write', domain: 'wan', schemes });
  return [...new Set([...wan, ...lan])];
}

interface Registered {
  readonly rse: Location;
  readonly did: DidKey;
  readonly pfn: string;
}

/** The path by the first protocol that accepts the PFN; the error is that of the best protocol. */
function parseBy(protocols: readonly Protocol[], registered: Registered): string {
  const parsed = protocols.map((protocol) => ({ protocol, ...parsePfn(protocol, registered.pfn) }));
  const found = parsed.find((one) => 'path' in one);
  if (found === undefined) {
    return fail('RSEFileNameNotSupported', parsed.flatMap((one) => ('misfit' in one ? one.misfit : []))[0] ?? '');
  }
  const { protocol, path } = found;
  const flaw = findNewPathFlaw(path);
  if (flaw !== undefined) return failFlawed(registered, flaw);
  return isExact(protocol, path, registered) ? path : failFlawed(registered, 'it would be another object');
}

/**
 * Whether the PFN is the one that will be handed out, which may have fewer slashes. In an object store each slash counts; other
 * storages skip them, and Rucio's implementations too.
 */
function isExact(protocol: Protocol, path: string, { rse, did, pfn }: Registered): boolean {
  if (!objectSchemes.has(protocol.scheme) && !rse.attributes['sign_url']) return true;
  const expected = computePfn(rse, protocol, did, path);
  return expected === undefined || canonical(expected) === canonical(pfn);
}

/** The schemes of object stores; others have the attribute `sign_url`. */
const objectSchemes: ReadonlySet<string> = new Set(['s3', 's3s', 'gs']);

function failFlawed({ rse: { rse }, did, pfn }: Registered, flaw: string): never {
  return fail('InvalidPath', `The PFN ${pythonRepr(pfn)} of ${formatDid(did)} on ${rse} names no file: ${flaw}`);
}

/** A PFN without the parts that comparison ignores: ports and services of SRM, signatures. */
function canonical(pfn: string): string {
  const bare = pfn.startsWith('srm')
    ? pfn.replaceAll(/:[0-9]+\//g, '/').replaceAll(/\/srm\/(?:managerv[12]|v2\/server)\?SFN=/g, '')
    : pfn;
  return bare.split('?GoogleAccessId')[0]?.split('?X-Amz')[0] ?? '';
}
