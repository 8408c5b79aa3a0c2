import type { ImportedProtocol } from '../../contract/schemas/fleet.ts';
import { type ProtocolKey, protocolAttribute } from '../../store/entities/rse-protocol.ts';
import type { NewRse } from '../../store/entities/rse.ts';
import { draftProtocol, findProtocol, redraftProtocol } from '../rses/protocols/draft-protocol.ts';
import type { SyncMethod } from './sync-method.ts';

/**
 * An RSE with the protocols of an import; an import without protocols changes none (spec/rses.md 1.30). Pure: writes
 * nothing.
 *
 * @throws InvalidObject (400); RSEProtocolDomainNotSupported, RSEOperationNotSupported (404); RSEProtocolPriorityError,
 *   Duplicate (409).
 */
export function syncProtocols(rse: NewRse, given: readonly ImportedProtocol[], method: SyncMethod): NewRse {
  if (given.length === 0) return rse;
  const named = new Set(given.map((input) => protocolAttribute(keyOf(input))));
  const kept = rse.protocols.filter((protocol) => method !== 'hard' || named.has(protocolAttribute(protocol)));
  const protocols = new Map(kept.map((protocol) => [protocolAttribute(protocol), protocol]));
  for (const input of given) {
    const holder = { rse: rse.rse, protocols: [...protocols.values()] };
    const key = keyOf(input);
    const isPresent = findProtocol(rse, key) !== undefined;
    if (isPresent && method === 'append') continue;
    const protocol = isPresent ? redraftProtocol(holder, key, input) : draftProtocol(holder, key.scheme, input);
    protocols.set(protocolAttribute(key), protocol);
  }
  return { ...rse, protocols: [...protocols.values()] };
}

/** The contract requires all three. */
function keyOf({ scheme, hostname, port }: ImportedProtocol): ProtocolKey {
  return { scheme, hostname, port } as ProtocolKey;
}
