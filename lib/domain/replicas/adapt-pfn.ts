import type { Rse } from '../../store/entities/rse.ts';
import type { AccessProtocol } from './access-protocols.ts';
import type { CallerSite } from './caller-site.ts';

/** Schemes that an outgoing proxy of XRootD can read. */
const proxiedSchemes: ReadonlySet<string> = new Set(['root', 'http', 'https']);

/** Clouds that Rucio reaches without a proxy. */
const directHosts = ['storage.googleapis.com', 'atlas-google-cloud.cern.ch', 'amazonaws.com'];

/** An integer as Python reads it. */
const pythonInteger = /^\s*([+-]?)(\d+(?:_\d+)*)\s*$/;

/**
 * The PFN as a caller has to open it: through the outgoing proxy of the caller's site, and with the number of
 * connections that replaces multi-range requests (spec/replication.md 1.10).
 */
export function adaptPfn(pfn: string, rse: Rse, access: AccessProtocol, site: CallerSite | undefined): string {
  const connections = rse.attributes['simulate_multirange'];
  const suffix =
    connections === undefined ? '' : `&#multirange=false&nconnections=${readConnections(String(connections))}`;
  return addProxy(pfn, rse, access, site) + suffix;
}

function addProxy(pfn: string, rse: Rse, { domain, protocol }: AccessProtocol, site: CallerSite | undefined): string {
  if (site?.proxy === undefined || domain !== 'wan' || !proxiedSchemes.has(protocol.scheme)) return pfn;
  if (rse.attributes['site'] === site.name || directHosts.some((host) => pfn.includes(host))) return pfn;
  return `root://${site.proxy}//${pfn.replaceAll('davs://', 'https://')}`;
}

/** A value that is no positive integer counts as 1. */
function readConnections(text: string): bigint {
  const [, sign, digits = '0'] = pythonInteger.exec(text) ?? [];
  const connections = BigInt(digits.replaceAll('_', ''));
  return sign === '-' || connections === 0n ? 1n : connections;
}
