import type { ProtocolInput } from '../../../contract/schemas/rse-protocol.ts';
import { fail, RucioError } from '../../../errors.ts';
import { toJson } from '../../../json.ts';
import type { Protocol, ProtocolKey } from '../../../store/entities/rse-protocol.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { mergePriorities } from './priorities.ts';

/** What a change of protocols needs to know of an RSE; a caller that makes several leads the list on. */
export type ProtocolHolder = Pick<Rse, 'rse' | 'protocols'>;

/** The longest text of extended attributes, in characters (spec/rses.md 3.2). */
const longestAttributes = 4000;

const none = { lan: {}, wan: {} };

/**
 * The protocol that an input adds to an RSE (spec/rses.md 1.18). Pure: nothing is written.
 *
 * @throws RSEProtocolDomainNotSupported, RSEOperationNotSupported (404), RSEProtocolPriorityError (409) for what is not
 *   known in `domains`; InvalidObject (400) for missing values; Duplicate (409) when the RSE has it already.
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
  return { ...key, impl, prefix: input.prefix ?? null, domains: priorities, extendedAttributes };
}

/**
 * A protocol of an RSE as an input changes it: what the input does not name stays. Its key cannot change (spec/rses.md
 * 1.19, 3.4). Pure: nothing is written.
 *
 * @throws As {@link draftProtocol}; RSEProtocolNotSupported (404) when the RSE does not have it; Duplicate (409) when the
 *   input names the key of another one.
 */
export function redraftProtocol(rse: ProtocolHolder, key: ProtocolKey, input: ProtocolInput): Protocol {
  const found = findProtocol(rse, key);
  const priorities = mergePriorities(found?.domains ?? none, input);
  const before = found ?? fail('RSEProtocolNotSupported', notSupported(rse, key));
  const named = {
    scheme: input.scheme ?? key.scheme,
    hostname: input.hostname ?? key.hostname,
    port: input.port ?? key.port,
  };
  const collides = !isSame(named, key) && findProtocol(rse, named) !== undefined;
  if (collides) throw duplicate(rse, key);
  if (input.impl === null) fail('InvalidObject', 'Missing values!');
  return {
    ...before,
    impl: input.impl ?? before.impl,
    prefix: input.prefix === undefined ? before.prefix : input.prefix,
    domains: priorities,
    extendedAttributes:
      input.extended_attributes === undefined ? before.extendedAttributes : checkAttributes(input.extended_attributes),
  };
}

/** The protocol of a key. */
export function findProtocol({ protocols }: ProtocolHolder, key: ProtocolKey): Protocol | undefined {
  return protocols.find((protocol) => isSame(protocol, key));
}

/** What a change of a protocol is told that the RSE does not have; parts that were not given are `None`. */
export function notSupported(
  { rse }: ProtocolHolder,
  { scheme, hostname = 'None', port = 'None' }: { scheme: string; hostname?: string; port?: string | number },
): string {
  return `RSE '${rse}' does not support protocol '${scheme}' for hostname '${hostname}' on port '${port}'`;
}

function isSame(a: ProtocolKey, b: ProtocolKey): boolean {
  return a.scheme === b.scheme && a.hostname === b.hostname && a.port === b.port;
}

function checkAttributes(value: unknown): unknown {
  if (toJson(value).length > longestAttributes) {
    fail('InvalidObject', `Problem validating protocol: extended_attributes is longer than ${longestAttributes}`);
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
