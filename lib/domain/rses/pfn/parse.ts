import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import { bareHost, extendedText, implementation, rootedPrefix } from './protocol.ts';

/** Where a file lies below a protocol's prefix, or what says that the PFN is none of the protocol, in Rucio's words. */
export type ParsedPfn = { readonly path: string } | { readonly misfit: string };

/** A PFN in its parts. */
interface Parts {
  readonly hostname: string;
  /** As it was written; empty where it was not. */
  readonly port: string;
  /** With what follows it. */
  readonly path: string;
}

/** Of implementations whose PFNs have one scheme, whatever that of the protocol. */
const ownSchemes = new Map([
  ['storm.Default', 'storm'],
  ['bittorrent.Default', 'magnet'],
]);

/**
 * Reads a PFN by a protocol: the reverse of `assemblePfn` (spec/rses.md 6.3). The scheme, the host, the port and the
 * prefix must be those of the protocol.
 *
 * @returns The path with a slash before it, as a replica on a non-deterministic RSE keeps it.
 */
export function parsePfn(protocol: Protocol, pfn: string): ParsedPfn {
  const impl = implementation(protocol);
  if (impl === 'globus.GlobusRSEProtocol') return below(pfn, rootedPrefix(protocol));
  const scheme = ownSchemes.get(impl) ?? protocol.scheme;
  if (!pfn.startsWith(`${scheme}:`)) return invalid('scheme', pfn.split(':')[0] ?? '', scheme);
  if (impl === 'bittorrent.Default') return parseMagnet(protocol, pfn);
  const parts = split(pfn);
  return impl.startsWith('gfal.') ? parseGfal(protocol, parts) : parsePlain(protocol, parts);
}

function parsePlain(protocol: Protocol, { hostname, port, path }: Parts): ParsedPfn {
  // Double slashes mean nothing to these implementations.
  const parsed = below(single(withoutQuery(path)), single(rootedPrefix(protocol)));
  return misplaced(protocol, hostname.replace(/^[^@]*@/, ''), port) ?? parsed;
}

function parseMagnet(protocol: Protocol, pfn: string): ParsedPfn {
  const query = new URLSearchParams(pfn.slice(pfn.indexOf('?') + 1));
  const [hostname = '', port = ''] = (query.get('x.pe') ?? '').split(':');
  return misplaced(protocol, hostname, port) ?? below(query.get('x.rucio_path') ?? '', rootedPrefix(protocol));
}

/** A protocol at `localhost` stands for any host, since some PFNs name none. */
function misplaced(protocol: Protocol, hostname: string, port: string): ParsedPfn | undefined {
  if (hostname !== bareHost(protocol) && protocol.hostname !== 'localhost') {
    return invalid('hostname', hostname, protocol.hostname);
  }
  return isPort(protocol, port) ? undefined : invalid('port', port === '' ? '0' : port, protocol.port);
}

function parseGfal(protocol: Protocol, { hostname, port, path }: Parts): ParsedPfn {
  if (hostname !== bareHost(protocol)) return invalid('hostname', hostname, protocol.hostname);
  if (port !== '' && !isPort(protocol, port)) return invalid('port', port, protocol.port);
  return below(afterService(protocol, path), rootedPrefix(protocol));
}

/** Nothing is port 0. */
function isPort(protocol: Protocol, port: string): boolean {
  return /^-?\d*$/.test(port) && Number(port) === protocol.port;
}

/** The path behind that of a web service, such as `/srm/managerv2?SFN=`. */
function afterService(protocol: Protocol, path: string): string {
  const service = extendedText(protocol, 'web_service_path');
  if (service !== '' && path.startsWith(service)) return path.slice(service.length);
  return /^\/srm\/(?:managerv[12]|v2\/server)\?[^=]*=(.*)$/s.exec(path)?.[1] ?? withoutQuery(path);
}

function below(path: string, prefix: string): ParsedPfn {
  if (!path.startsWith(prefix)) {
    return invalid('prefix', path.split('/', prefix.split('/').length - 1).join('/'), prefix);
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
const single = (path: string) => path.replaceAll(/\/{2,}/g, '/');

function invalid(what: string, provided: string, expected: string | number): ParsedPfn {
  return { misfit: `Invalid ${what}: provided '${provided}', expected '${expected}'` };
}
