/**
 * The subject of a certificate without the components of proxy certificates, so that a user is one identity with any
 * number of proxies (spec/access.md 1.4). They are at the end of the old form `/DC=org/CN=Jane/CN=proxy`, and at the
 * start of the new form `CN=1234,CN=Jane,DC=org`.
 */
export function withoutProxies(dn: string): string {
  return dn.startsWith('/')
    ? dn.replace(/(?:\/CN=(?:limited proxy|proxy|\d+))+$/, '')
    : dn.replace(/^(?:CN=(?:limited proxy|proxy|\d+),)+/, '');
}
