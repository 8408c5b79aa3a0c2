/**
 * The subject of a certificate without the components that proxy certificates add to it, so that a user is one identity
 * however many proxies lie between (spec/access.md 1.4): at the end of the old form `/DC=org/CN=Jane/CN=proxy`, at the
 * start of the other one, `CN=1234,CN=Jane,DC=org`.
 */
export function withoutProxies(dn: string): string {
  return dn.startsWith('/')
    ? dn.replace(/(?:\/CN=(?:limited proxy|proxy|\d+))+$/, '')
    : dn.replace(/^(?:CN=(?:limited proxy|proxy|\d+),)+/, '');
}
