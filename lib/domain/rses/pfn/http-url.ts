import type { Protocol } from '../../../store/entities/rse-protocol.ts';
import { bareHost, rootedPrefix } from './protocol-parts.ts';

/** The schemes of HTTP and WebDAV, and those of their URLs. */
export const httpSchemes: ReadonlyMap<string, string> = new Map([
  ['https', 'https'],
  ['davs', 'https'],
  ['http', 'http'],
  ['dav', 'http'],
]);

/**
 * The URL of a path below the prefix of a protocol, for HTTP. Names may hold any character, but must not lead out of the
 * prefix. Unlike in a PFN the marks of a URL are escaped.
 *
 * @throws Error for a path that leaves its folder.
 */
export function makeHttpUrl(protocol: Protocol, path: string): string {
  if (path.split('/').some((part) => part === '.' || part === '..')) {
    throw new Error(`the path ${path} leaves its folder`);
  }
  const { scheme, port } = protocol;
  const place = port === 0 ? bareHost(protocol) : `${bareHost(protocol)}:${port}`;
  const segments = (rootedPrefix(protocol) + path).split('/').map(encodeURIComponent);
  return `${httpSchemes.get(scheme) ?? scheme}://${place}${segments.join('/')}`;
}
