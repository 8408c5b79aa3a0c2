/** Where a part begins: the name of an attribute. */
const attribute = String.raw`[A-Za-z][\w.-]*=`;
const slashes = new RegExp(`/(?=${attribute})`);
const commas = new RegExp(`,\\s*(?=${attribute})`);

/** A part that a proxy certificate adds. */
const proxyPart = /^CN=(?:limited proxy|proxy|\d+)$/;

/**
 * The subject of a certificate without the components of proxy certificates, so that a user is one identity with any number of
 * proxies (spec/access.md 1.4). They are at the end of `/DC=org/CN=Jane/CN=proxy` and of `DC=org,CN=Jane,CN=proxy`, and at the start of
 * `CN=1234,CN=Jane,DC=org`.
 */
export function withoutProxies(dn: string): string {
  const { parts, isSlashed, isLeafFirst } = parse(dn);
  const kept = isLeafFirst
    ? parts.slice(countProxies(parts))
    : parts.slice(0, parts.length - countProxies(parts.toReversed()));
  return kept.length === parts.length ? dn : join(kept, isSlashed);
}

/**
 * The texts under which an identity may be known whose certificate has this subject, without proxies: as given, with slashes, and
 * with commas in the order of RFC 4514. Which of them Rucio stores depends on the web server in front of it.
 */
export function spellingsOf(dn: string): readonly string[] {
  const given = withoutProxies(dn);
  const { parts, isLeafFirst } = parse(given);
  const rootFirst = isLeafFirst ? parts.toReversed() : parts;
  return [...new Set([given, join(rootFirst, true), join(rootFirst.toReversed(), false)])];
}

interface Parsed {
  readonly parts: readonly string[];
  readonly isSlashed: boolean;
  /** The common name comes first, the organisation last. */
  readonly isLeafFirst: boolean;
}

function parse(dn: string): Parsed {
  const isSlashed = dn.startsWith('/');
  const parts = isSlashed ? dn.slice(1).split(slashes) : dn.split(commas);
  const isCommonName = (part: string | undefined) => part?.startsWith('CN=') === true;
  return { parts, isSlashed, isLeafFirst: isCommonName(parts[0]) && !(isSlashed && isCommonName(parts.at(-1))) };
}

function countProxies(parts: readonly string[]): number {
  const first = parts.findIndex((part) => !proxyPart.test(part));
  return first === -1 ? parts.length : first;
}

function join(parts: readonly string[], isSlashed: boolean): string {
  return isSlashed ? parts.map((part) => `/${part}`).join('') : parts.join(',');
}
