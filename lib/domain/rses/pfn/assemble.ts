import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { bareHost, extendedText, implementation, rootedPrefix } from './protocol.ts';

interface Parts {
  readonly protocol: Protocol;
  readonly rse: Pick<Rse, 'protocols'>;
  readonly did: DidKey;
  readonly path: string;
  /** The prefix of the protocol and the path. */
  readonly below: string;
}

/** How each implementation writes a PFN, where that is not {@link plain} (spec/rses.md 6.2). */
const assemblers: ReadonlyMap<string, (parts: Parts) => string> = new Map([
  ['gfal.Default', gfal],
  ['gfal.NoRename', gfal],
  ['gfal.CLI', gfal],
  ['posix.Default', ({ protocol: { scheme, hostname }, below }: Parts) => `${scheme}://${hostname}${below}`],
  ['posix.Symlink', ({ protocol: { scheme, hostname }, below }: Parts) => `${scheme}://${hostname}${below}`],
  ['ssh.Default', ssh],
  ['ssh.Rsync', ssh],
  ['storm.Default', ({ protocol, below }: Parts) => `storm://${bareHost(protocol)}:${protocol.port}${below}`],
  ['bittorrent.Default', magnet],
  ['rclone.Default', rclone],
  ['globus.GlobusRSEProtocol', ({ below }: Parts) => below],
]);

/**
 * The PFN of a file by a protocol of an RSE (spec/rses.md 6.2). What decides is the implementation, not the scheme.
 *
 * @param path Of the file below the protocol's prefix.
 */
export function assemblePfn(rse: Pick<Rse, 'protocols'>, protocol: Protocol, did: DidKey, path: string): string {
  const below = rootedPrefix(protocol) + path;
  return (assemblers.get(implementation(protocol)) ?? plain)({ protocol, rse, did, path, below });
}

function plain({ protocol: { scheme, hostname, port }, below }: Parts): string {
  return `${scheme}://${hostname}:${port}${below}`;
}

function gfal({ protocol, path }: Parts): string {
  const { scheme, port } = protocol;
  const relative = scheme === 'root' ? path : path.replace(/^\//, '');
  if (port !== 0 && /^\w+:\/\//.test(relative)) return relative;
  const place = port === 0 ? '' : `:${port}`;
  const service = extendedText(protocol, 'web_service_path');
  return `${scheme}://${bareHost(protocol)}${place}${service}${rootedPrefix(protocol)}${relative}`;
}

function ssh({ protocol, below }: Parts): string {
  const { scheme, hostname, port } = protocol;
  const user = extendedText(protocol, 'user');
  return `${scheme}://${user === '' ? '' : `${user}@`}${hostname}:${port}${below}`;
}

function magnet({ protocol: { hostname, port }, did, below }: Parts): string {
  const parameters = {
    'x.pe': `${hostname}:${port}`,
    'x.rucio_scope': did.scope,
    'x.rucio_name': did.name,
    'x.rucio_path': below,
  };
  const pairs = Object.entries(parameters).map(([key, value]) => `${key}=${formEncode(value)}`);
  return `magnet:?${pairs.join('&')}`;
}

/** A remote of rclone is a host that another protocol of the RSE names, the last of those first. */
function rclone(parts: Parts): string {
  const { protocol, rse, below } = parts;
  const remote = rse.protocols.findLast(
    ({ impl, scheme }) => impl !== protocol.impl && /^(scp|rsync|sftp|file|davs|https)$/.test(scheme),
  );
  if (remote === undefined) return plain(parts);
  return `${protocol.scheme}://${remote.scheme === 'file' ? 'localhost' : remote.hostname}:${below}`;
}

/** As Python encodes a form: all but letters, digits and `_.-~`; a blank is a plus. */
export function formEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
