import { parseJson, toJson } from '../../json.ts';

/** What a protocol can be asked to do. */
export const operations = ['read', 'write', 'delete', 'third_party_copy_read', 'third_party_copy_write'] as const;
export type Operation = (typeof operations)[number];

/** Priorities of operations, 0 the best; an operation that is not here is not supported. */
export type Priorities = Readonly<Partial<Record<Operation, number>>>;

/** A way to reach the files of an RSE; one for each scheme, hostname and port. */
export interface Protocol {
  readonly scheme: string;
  readonly hostname: string;
  readonly port: number;
  readonly impl: string;
  /** Null is shown as an empty text. */
  readonly prefix: string | null;
  readonly domains: { readonly lan: Priorities; readonly wan: Priorities };
  /** Any JSON. */
  readonly extendedAttributes: unknown;
}

/** Before what tells a protocol from the others of its RSE; each is an attribute of the item by itself. */
const prefix = 'proto:';

/** The attribute of the RSE's item that holds a protocol. */
export function protocolAttribute({ scheme, hostname, port }: Pick<Protocol, 'scheme' | 'hostname' | 'port'>): string {
  return prefix + JSON.stringify([hostname, scheme, port]);
}

/** A protocol as its attribute holds it. */
export function packProtocol({ impl, prefix: path, domains, extendedAttributes }: Protocol): Record<string, unknown> {
  return { impl, prefix: path, domains, extendedAttributes: toJson(extendedAttributes ?? null) };
}

/** The protocols on an RSE's item in the order of hostname, scheme, port. */
export function readProtocols(item: Readonly<Record<string, unknown>>): Protocol[] {
  const found: Protocol[] = [];
  for (const [name, value] of Object.entries(item)) {
    if (!name.startsWith(prefix)) continue;
    const [hostname, scheme, port] = JSON.parse(name.slice(prefix.length)) as [string, string, number];
    const rest = value as Pick<Protocol, 'impl' | 'prefix' | 'domains'> & { readonly extendedAttributes: string };
    found.push({ ...rest, scheme, hostname, port, extendedAttributes: parseJson(rest.extendedAttributes) });
  }
  return found.toSorted((a, b) => compare(a.hostname, b.hostname) || compare(a.scheme, b.scheme) || a.port - b.port);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
