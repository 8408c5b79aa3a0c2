import type { ProtocolEntry } from '../../contract/schemas/rse-protocol.ts';
import type { RseSettings } from '../../contract/schemas/rse.ts';
import { describeSettings } from '../../domain/rses/describe-rse.ts';
import { requireLiveRse } from '../../domain/rses/find-rse.ts';
import { describeProtocol } from '../../domain/rses/protocols/describe-protocol.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';

/**
 * The protocols of an RSE in the order of hostname, scheme, port (spec/rses.md 1.16).
 *
 * @throws RSENotFound (404); RSEProtocolNotSupported (404) when there are none.
 */
export async function listProtocols({ store }: Context, name: string): Promise<ProtocolEntry[]> {
  const { protocols } = await requireLiveRse(store.table, name);
  if (protocols.length === 0) fail('RSEProtocolNotSupported', 'No protocols found for this RSE');
  return protocols.map(describeProtocol);
}

/**
 * Settings of an RSE with all its protocols: Rucio answers so to a request for one scheme (spec/rses.md 1.17).
 *
 * @throws RSENotFound (404).
 */
export async function getProtocols({ store }: Context, name: string): Promise<Omit<RseSettings, 'availability'>> {
  const { availability: _, ...settings } = describeSettings(await requireLiveRse(store.table, name));
  return settings;
}
