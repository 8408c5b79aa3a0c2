import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { bareHost, extendedText, implementation, rootedPrefix } from './protocol-parts.ts';

interface Parts {
  readonly protocol: Protocol;
  readonly rse: Pick<Rse, 'protocols'>;
  readonly did: DidKey;
  readonly path: string;
  /** The prefix of the protocol, then the path. */
  readonly prefixedPath: string;
}

/** The PFN formats of implementations; all others use {@link plain} (spec/rses.md 6.2). */
const assemblers: ReadonlyMap<string, (parts: Parts) => string> = new Map([
  ['gfal.Default', gfal],
  ['gfal.NoRename', gfal],
  ['gfal.CLI', gfal],
  [
    'posix.Default',
    ({ protocol: { scheme, hostname }, prefixedPath }: Parts) => `${scheme}://${hostname}${prefixedPath}`,
  ],
  [
    'posix.Symlink',
    ({ protocol: { scheme, hostname }, prefixedPath }: Parts) => `${scheme}://${hostname}${prefixedPath}`,
  ],
  ['ssh.Default', ssh],
  ['ssh.Rsync', ssh],
  [
    'storm.Default',
    ({ protocol, prefixedPath }: Parts) => `storm://${bareHost(protocol)}:${protocol.port}${prefixedPath}`,
  ],
  ['bittorrent.Default', magnet],
  ['rclone.Default', rclone],
  ['globus.GlobusRSEProtocol', ({ prefixedPath }: Parts) => prefixedPath],
]);

/**
 * The PFN of a file by a protocol of an RSE (spec/rses.md 6.2). The implementation decides the format, not the scheme.
 *
 * @param path Path of the file below the protocol's prefix.
 */
export function assemblePfn(rse: Pick<Rse, 'protocols'>, protocol: Protocol, did: DidKey, path: string): string {
  const prefixedPath = rootedPrefix(protocol) + path;
  return (assemblers.get(implementation(protocol)) ?? plain)({ protocol, rse, did, path, prefixedPath });
}

function plain({ protocol: { scheme, hostname, port }, prefixedPath }: Parts): string {
  return `${scheme}://${hostname}:${port}${prefixedPath}`;
}

function gfal({ protocol, path }: Parts): string {
  const { scheme, port } = protocol;
  const relative = scheme === 'root' ? path : path.replace(/^\//, '');
  if (port !== 0 && /^\w+:\/\//.test(relative)) return relative;
  const place = port === 0 ? '' : `:${port}`;
  const service = extendedText(protocol, 'web_service_path');
  return `${scheme}://${bareHost(protocol)}${place}${service}${rootedPrefix(protocol)}${relative}`;
}

function ssh({ protocol, prefixedPath }: Parts): string {
  const { scheme, hostname, port } = protocol;
  const user = extendedText(protocol, 'user');
  return `${scheme}://${user === '' ? '' : `${user}@`}${hostname}:${port}${prefixedPath}`;
}

function magnet({ protocol: { hostname, port }, did, prefixedPath }: Parts): string {
  const parameters = {
    'x.pe': `${hostname}:${port}`,
    'x.rucio_scope': did.scope,
    'x.rucio_name': did.name,
    'x.rucio_path': prefixedPath,
  };
  const pairs = Object.entries(parameters).map(([key, value]) => `${key}=${formEncode(value)}`);
  return `magnet:?${pairs.join('&')}`;
}

/** The remote of rclone is the host of the last protocol of the RSE with another implementation and a suitable scheme. */
function rclone(parts: Parts): string {
  const { protocol, rse, prefixedPath } = parts;
  const remote = rse.protocols.findLast(
    ({ impl, scheme }) => impl !== protocol.impl && /^(scp|rsync|sftp|file|davs|https)$/.test(scheme),
  );
  if (remote === undefined) return plain(parts);
  return `${protocol.scheme}://${remote.scheme === 'file' ? 'localhost' : remote.hostname}:${prefixedPath}`;
}

/** Encodes a text as Python encodes a form: all but letters, digits and `_.-~`; a blank becomes a plus. */
export function formEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
