import { findPathFlaw } from '../../../paths.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import { findProtocolFlaw } from './protocol-flaw.ts';
import { bareHost, rootedPrefix } from './protocol-parts.ts';

/** The schemes of HTTP and WebDAV, and those of their URLs. */
export const httpSchemes: ReadonlyMap<string, string> = new Map([
  ['https', 'https'],
  ['davs', 'https'],
  ['http', 'http'],
  ['dav', 'http'],
]);

/**
 * The URL of a path below the prefix of a protocol, for HTTP. Unlike in a PFN the marks of a URL are escaped.
 *
 * @param path Empty: the prefix itself.
 * @throws Error for a path that names no file.
 */
export function makeHttpUrl(protocol: Protocol, path: string): string {
  const flaw = findProtocolFlaw(protocol) ?? (path === '' ? undefined : findPathFlaw(path));
  if (flaw !== undefined) throw new Error(`the path ${path} is not used: ${flaw}`);
  const { scheme, port } = protocol;
  const place = port === 0 ? bareHost(protocol) : `${bareHost(protocol)}:${port}`;
  const segments = (rootedPrefix(protocol) + path).split('/').map(encodeURIComponent);
  return `${httpSchemes.get(scheme) ?? scheme}://${place}${segments.join('/')}`;
}
