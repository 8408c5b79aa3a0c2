import type { ProtocolEntry } from '../../../contract/schemas/rse-protocol.ts';
import type { Protocol } from '../../../store/entities/rse-protocol.ts';

/** A protocol on the wire (spec/rses.md 3.1). */
export function describeProtocol({ scheme, hostname, port, prefix, impl, ...more }: Protocol): ProtocolEntry {
  const { lan, wan } = more.domains;
  return {
    scheme,
    hostname,
    port,
    prefix: prefix ?? '',
    impl,
    domains: {
      lan: { read: lan.read ?? null, write: lan.write ?? null, delete: lan.delete ?? null },
      wan: {
        read: wan.read ?? null,
        write: wan.write ?? null,
        delete: wan.delete ?? null,
        third_party_copy_read: wan.third_party_copy_read ?? null,
        third_party_copy_write: wan.third_party_copy_write ?? null,
      },
    },
    extended_attributes: more.extendedAttributes,
  };
}
