import { parseNamed } from '../../json-names.ts';
import { parseJson, toJson } from '../../json.ts';
import type { Item, Patch } from '../items/item.ts';
import { type Check, hasShape, isNumber, isText, nullable, readAttribute, recordOf } from '../items/read-attributes.ts';

/** The operations of a protocol. */
export const operations = ['read', 'write', 'delete', 'third_party_copy_read', 'third_party_copy_write'] as const;
export type Operation = (typeof operations)[number];

/** The network of the client of a protocol: of the site, or outside. */
export const domains = ['lan', 'wan'] as const;
export type Domain = (typeof domains)[number];

/** Priorities of operations, 0 the best; a missing operation is not supported. */
export type Priorities = Readonly<Partial<Record<Operation, number>>>;

/** Identifies a protocol of an RSE. */
export interface ProtocolKey {
  readonly scheme: string;
  readonly hostname: string;
  readonly port: number;
}

/** A way to reach the files of an RSE; one for each scheme, hostname and port. */
export interface Protocol extends ProtocolKey {
  readonly impl: string;
  /** Null is an empty text on the wire. */
  readonly prefix: string | null;
  /** Third-party copies are of the domain `wan` only. */
  readonly domains: Readonly<Record<Domain, Priorities>>;
  /** Any JSON. */
  readonly extendedAttributes: unknown;
}

/** The prefix of attributes for protocols; the key of the protocol follows. */
const attributePrefix = 'proto:';

/** The attribute of the RSE's item that holds a protocol. */
export function protocolAttribute({ scheme, hostname, port }: ProtocolKey): string {
  return attributePrefix + JSON.stringify([hostname, scheme, port]);
}

/** The value of a protocol's attribute. */
export function packProtocol({ impl, prefix: path, domains: priorities, extendedAttributes }: Protocol) {
  return { impl, prefix: path, domains: priorities, extendedAttributes: toJson(extendedAttributes ?? null) };
}

/** The patch of an RSE that adds protocols, or replaces those with the same key. */
export function putProtocols(protocols: readonly Protocol[]): Patch {
  return {
    set: Object.fromEntries(protocols.map((protocol) => [protocolAttribute(protocol), packProtocol(protocol)])),
  };
}

/** The patch of an RSE that removes protocols. */
export function removeProtocols(protocols: readonly ProtocolKey[]): Patch {
  return { remove: protocols.map(protocolAttribute) };
}

/** Hostname, scheme and port. */
const isKey: Check<readonly [string, string, number]> = (value): value is readonly [string, string, number] =>
  Array.isArray(value) && isText(value[0]) && isText(value[1]) && isNumber(value[2]);

/** The stored value of a protocol. */
type PackedProtocol = ReturnType<typeof packProtocol>;

const isPriorities: Check<Priorities> = recordOf(isNumber);

const isPackedProtocol = hasShape<PackedProtocol>({
  impl: isText,
  prefix: nullable(isText),
  domains: hasShape({ lan: isPriorities, wan: isPriorities }),
  extendedAttributes: isText,
});

/** Whether an attribute of an RSE's item holds a protocol. */
export const isProtocolAttribute = (attribute: string) => attribute.startsWith(attributePrefix);

/**
 * Reads a protocol out of an attribute of an RSE's item.
 *
 * @throws Error if the attribute was not written by this code.
 */
export function readProtocol(item: Item, attribute: string): Protocol {
  const { impl, prefix, domains: priorities, extendedAttributes } = readAttribute(item, attribute, isPackedProtocol);
  const key: unknown = parseNamed(attribute.slice(attributePrefix.length));
  const [hostname, scheme, port] = readAttribute({ PK: item.PK, SK: item.SK, key }, 'key', isKey);
  return {
    scheme,
    hostname,
    port,
    impl,
    prefix,
    domains: priorities,
    extendedAttributes: parseJson(extendedAttributes),
  };
}

/** Sorts protocols by hostname, scheme and port. */
export function sortProtocols(protocols: readonly Protocol[]): Protocol[] {
  return protocols.toSorted(
    (a, b) => compare(a.hostname, b.hostname) || compare(a.scheme, b.scheme) || a.port - b.port,
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
