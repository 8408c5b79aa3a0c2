import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import { bareHost, extendedText, implementation, rootedPrefix } from './protocol-parts.ts';

/** The path of a file below a protocol's prefix, or Rucio's message why the PFN does not belong to the protocol. */
export type ParsedPfn = { readonly path: string } | { readonly misfit: string };

/** The parts of a PFN. */
interface Parts {
  readonly hostname: string;
  /** As written; empty when absent. */
  readonly port: string;
  /** With the query and the fragment. */
  readonly path: string;
}

/** Schemes of implementations that ignore the scheme of the protocol. */
const ownSchemes = new Map([
  ['storm.Default', 'storm'],
  ['bittorrent.Default', 'magnet'],
]);

/**
 * Parses a PFN of a protocol: the reverse of `assemblePfn` (spec/rses.md 6.3). The PFN must have the scheme, host, port and
 * prefix of the protocol.
 *
 * @returns The path with a leading slash, as stored with a replica on a non-deterministic RSE.
 */
export function parsePfn(protocol: Protocol, pfn: string): ParsedPfn {
  const impl = implementation(protocol);
  if (impl === 'globus.GlobusRSEProtocol') return stripPrefix(pfn, rootedPrefix(protocol));
  const scheme = ownSchemes.get(impl) ?? protocol.scheme;
  if (!pfn.startsWith(`${scheme}:`)) return misfitIn('scheme', pfn.split(':')[0] ?? '', scheme);
  if (impl === 'bittorrent.Default') return parseMagnet(protocol, pfn);
  const parts = split(pfn);
  return impl.startsWith('gfal.') ? parseGfal(protocol, parts) : parsePlain(protocol, parts);
}

function parsePlain(protocol: Protocol, { hostname, port, path }: Parts): ParsedPfn {
  // These implementations collapse double slashes.
  const parsed = stripPrefix(collapseSlashes(withoutQuery(path)), collapseSlashes(rootedPrefix(protocol)));
  return checkPlace(protocol, hostname.replace(/^[^@]*@/, ''), port) ?? parsed;
}

function parseMagnet(protocol: Protocol, pfn: string): ParsedPfn {
  const query = new URLSearchParams(pfn.slice(pfn.indexOf('?') + 1));
  const [hostname = '', port = ''] = (query.get('x.pe') ?? '').split(':');
  return checkPlace(protocol, hostname, port) ?? stripPrefix(query.get('x.rucio_path') ?? '', rootedPrefix(protocol));
}

/** A protocol at `localhost` accepts any host, since some PFNs have none. */
function checkPlace(protocol: Protocol, hostname: string, port: string): ParsedPfn | undefined {
  if (hostname !== bareHost(protocol) && protocol.hostname !== 'localhost') {
    return misfitIn('hostname', hostname, protocol.hostname);
  }
  return isPort(protocol, port) ? undefined : misfitIn('port', port === '' ? '0' : port, protocol.port);
}

function parseGfal(protocol: Protocol, { hostname, port, path }: Parts): ParsedPfn {
  if (hostname !== bareHost(protocol)) return misfitIn('hostname', hostname, protocol.hostname);
  if (port !== '' && !isPort(protocol, port)) return misfitIn('port', port, protocol.port);
  return stripPrefix(afterService(protocol, path), rootedPrefix(protocol));
}

/** An empty port is port 0. */
function isPort(protocol: Protocol, port: string): boolean {
  return /^-?\d*$/.test(port) && Number(port) === protocol.port;
}

/** The path after that of a web service, such as `/srm/managerv2?SFN=`. */
function afterService(protocol: Protocol, path: string): string {
  const service = extendedText(protocol, 'web_service_path');
  if (service !== '' && path.startsWith(service)) return path.slice(service.length);
  return /^\/srm\/(?:managerv[12]|v2\/server)\?[^=]*=(.*)$/s.exec(path)?.[1] ?? withoutQuery(path);
}

function stripPrefix(path: string, prefix: string): ParsedPfn {
  if (!path.startsWith(prefix)) {
    return misfitIn('prefix', path.split('/', prefix.split('/').length - 1).join('/'), prefix);
  }
  const rest = path.slice(prefix.length);
  return { path: rest.startsWith('/') ? rest : `/${rest}` };
}

function split(pfn: string): Parts {
  const [, place = '', path = ''] = /^[^:]*:(?:\/\/([^/?#]*))?(.*)$/s.exec(pfn) ?? [];
  const colon = place.indexOf(':');
  return colon === -1
    ? { hostname: place, port: '', path }
    : { hostname: place.slice(0, colon), port: place.slice(colon + 1), path };
}

const withoutQuery = (path: string) => path.replace(/[?#].*$/s, '');
const collapseSlashes = (path: string) => path.replaceAll(/\/{2,}/g, '/');

function misfitIn(what: string, provided: string, expected: string | number): ParsedPfn {
  return { misfit: `Invalid ${what}: provided '${provided}', expected '${expected}'` };
}
