import { parseJson, toJson } from '../../json.ts';
import type { Patch } from '../items/item.ts';

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

/** The protocols on an RSE's item in the order of hostname, scheme, port. */
export function readProtocols(item: Readonly<Record<string, unknown>>): Protocol[] {
  const found: Protocol[] = [];
  for (const [name, value] of Object.entries(item)) {
    if (!name.startsWith(attributePrefix)) continue;
    const [hostname, scheme, port] = JSON.parse(name.slice(attributePrefix.length)) as [string, string, number];
    const rest = value as Pick<Protocol, 'impl' | 'prefix' | 'domains'> & { readonly extendedAttributes: string };
    found.push({ ...rest, scheme, hostname, port, extendedAttributes: parseJson(rest.extendedAttributes) });
  }
  return found.toSorted((a, b) => compare(a.hostname, b.hostname) || compare(a.scheme, b.scheme) || a.port - b.port);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
