import type { ProtocolInput } from '../../../contract/schemas/rse-protocol.ts';
import { fail, RucioError } from '../../../errors.ts';
import { toJson } from '../../../json.ts';
import type { Protocol, ProtocolKey } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { findProtocolFlaw } from '../pfn/protocol-flaw.ts';
import { mergePriorities } from './priorities.ts';

/** The part of an RSE that a change of protocols depends on. A caller with several changes passes the list on. */
export type ProtocolHolder = Pick<Rse, 'rse' | 'protocols'>;

/** The most characters of the JSON text of extended attributes (spec/rses.md 3.2). */
const maxAttributesLength = 4000;

const none = { lan: {}, wan: {} };

/**
 * The protocol that an input adds to an RSE (spec/rses.md 1.18). Pure: writes nothing.
 *
 * @throws RSEProtocolDomainNotSupported, RSEOperationNotSupported (404), RSEProtocolPriorityError (409) for unknown
 *   names and values in `domains`; InvalidObject (400) for missing values and for parts that lead elsewhere; Duplicate (409) when the RSE has it already.
 */
export function draftProtocol(rse: ProtocolHolder, scheme: string, input: ProtocolInput): Protocol {
  const priorities = mergePriorities(none, input);
  const extendedAttributes = checkAttributes(input.extended_attributes ?? null);
  if (scheme === 'srm' && !toJson(extendedAttributes).includes('web_service_path')) {
    fail('InvalidObject', 'Missing values! For SRM, extended_attributes and web_service_path must be specified');
  }
  const key = {
    scheme,
    hostname: input.hostname === undefined ? 'localhost' : (input.hostname ?? ''),
    port: input.port ?? 0,
  };
  if (scheme.length > 255) fail('InvalidObject', `Problem validating protocol: '${scheme}' is too long`);
  const impl = input.impl ?? fail('InvalidObject', 'Missing values!');
  if (findProtocol(rse, key) !== undefined) throw duplicate(rse, key);
  return requireUsable(rse, { ...key, impl, prefix: input.prefix ?? null, domains: priorities, extendedAttributes });
}

/**
 * A protocol with the changes of an input; other members stay. The key cannot change (spec/rses.md 1.19, 3.4). Pure:
 * writes nothing.
 *
 * @throws The errors of {@link draftProtocol}; RSEProtocolNotSupported (404) when the RSE does not have it; Duplicate (409) when the
 *   input has the key of another protocol.
 */
export function redraftProtocol(rse: ProtocolHolder, key: ProtocolKey, input: ProtocolInput): Protocol {
  const found = findProtocol(rse, key);
  const priorities = mergePriorities(found?.domains ?? none, input);
  const before = found ?? fail('RSEProtocolNotSupported', protocolNotSupportedText(rse, key));
  const named = {
    scheme: input.scheme ?? key.scheme,
    hostname: input.hostname ?? key.hostname,
    port: input.port ?? key.port,
  };
  const collides = !isSame(named, key) && findProtocol(rse, named) !== undefined;
  if (collides) throw duplicate(rse, key);
  if (input.impl === null) fail('InvalidObject', 'Missing values!');
  return requireUsable(rse, {
    ...before,
    impl: input.impl ?? before.impl,
    prefix: input.prefix === undefined ? before.prefix : input.prefix,
    domains: priorities,
    extendedAttributes:
      input.extended_attributes === undefined ? before.extendedAttributes : checkAttributes(input.extended_attributes),
  });
}

function requireUsable({ rse }: ProtocolHolder, protocol: Protocol): Protocol {
  const flaw = findProtocolFlaw(protocol);
  return flaw === undefined ? protocol : fail('InvalidObject', `Problem validating protocol of ${rse}: ${flaw}`);
}

/** The protocol with a key; undefined when there is none. */
export function findProtocol({ protocols }: ProtocolHolder, key: ProtocolKey): Protocol | undefined {
  return protocols.find((protocol) => isSame(protocol, key));
}

/** The message for a change of a protocol that the RSE does not have; missing parts are `None`. */
export function protocolNotSupportedText(
  { rse }: ProtocolHolder,
  { scheme, hostname = 'None', port = 'None' }: { scheme: string; hostname?: string; port?: string | number },
): string {
  return `RSE '${rse}' does not support protocol '${scheme}' for hostname '${hostname}' on port '${port}'`;
}

function isSame(a: ProtocolKey, b: ProtocolKey): boolean {
  return a.scheme === b.scheme && a.hostname === b.hostname && a.port === b.port;
}

function checkAttributes(value: unknown): unknown {
  if (toJson(value).length > maxAttributesLength) {
    fail('InvalidObject', `Problem validating protocol: extended_attributes is longer than ${maxAttributesLength}`);
  }
  return value;
}

/** The two blanks are Rucio's. */
function duplicate({ rse }: ProtocolHolder, { scheme, hostname, port }: ProtocolKey): RucioError {
  return new RucioError(
    'Duplicate',
    `Protocol '${scheme}' on port ${port} already registered for  '${rse}' with hostname '${hostname}'.`,
  );
}
