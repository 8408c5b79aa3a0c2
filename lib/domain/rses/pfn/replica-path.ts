import type { DidKey } from '../../../contract/schemas/did.ts';
import { fail } from '../../../errors.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import { pythonRepr } from '../../values/python-text.ts';
import { noProtocol, suitableProtocols } from './choose.ts';
import { type Location, pfnBy } from './lfn-to-pfn.ts';
import { parsePfn } from './parse.ts';

/**
 * What a replica stores of the PFN that it is registered with (spec/dids.md 2.6, spec/replication.md 1.2): on a
 * non-deterministic RSE the path below the prefix; on a deterministic one nothing, since its PFN can be computed.
 *
 * @throws RSEProtocolNotSupported (404) when the RSE has no protocol of that scheme to write by; InvalidPath (400) when
 *   the PFN is not the computed one; RSEFileNameNotSupported (400) when it is of another host, port or prefix.
 */
export function replicaPath(rse: Location, did: DidKey, pfn: string): string | undefined {
  const protocols = writers(rse, pfn);
  if (!rse.deterministic) return parseBy(protocols, pfn);
  const expected = protocols.flatMap((protocol) => pfnBy(rse, protocol, did) ?? []).map(canonical);
  if (expected.includes(canonical(pfn))) return undefined;
  const wanted = [...new Set(expected)].map(pythonRepr).join(', ');
  return fail(
    'InvalidPath',
    `One of the PFNs provided {${pythonRepr(canonical(pfn))}} for [${pythonRepr({ scope: did.scope, name: did.name })}] ` +
      `does not match the Rucio expected PFNs: {${wanted}}`,
  );
}

/** The protocols that a PFN may be of: those that write from anywhere, then those that write within the site. */
function writers(rse: Location, pfn: string): Protocol[] {
  const schemes = [pfn.split(':')[0] ?? ''];
  const wan = suitableProtocols(rse, { operation: 'write', domain: 'wan', schemes });
  const lan = suitableProtocols(rse, { operation: 'write', domain: 'lan', schemes });
  if (wan.length + lan.length === 0) throw noProtocol(rse, { operation: 'write', domain: 'wan', schemes });
  return [...new Set([...wan, ...lan])];
}

/** The path by the first protocol that the PFN fits; what is wrong with it is said of the best one. */
function parseBy(protocols: readonly Protocol[], pfn: string): string {
  const parsed = protocols.map((protocol) => parsePfn(protocol, pfn));
  const found = parsed.find((one) => 'path' in one);
  if (found !== undefined) return found.path;
  const misfit = parsed.flatMap((one) => ('misfit' in one ? one.misfit : []))[0] ?? '';
  return fail('RSEFileNameNotSupported', misfit);
}

/** A PFN without what does not matter to whether two are the same: ports and services of SRM, signatures. */
function canonical(pfn: string): string {
  const bare = pfn.startsWith('srm')
    ? pfn.replaceAll(/:[0-9]+\//g, '/').replaceAll(/\/srm\/(?:managerv[12]|v2\/server)\?SFN=/g, '')
    : pfn;
  return bare.split('?GoogleAccessId')[0]?.split('?X-Amz')[0] ?? '';
}
