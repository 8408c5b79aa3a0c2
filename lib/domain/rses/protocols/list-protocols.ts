import type { ProtocolEntry } from '../../../contract/schemas/rse-protocol.ts';
import type { RseSettings } from '../../../contract/schemas/rse.ts';
import { fail } from '../../../errors.ts';
import type { Context } from '../../context.ts';
import { describeSettings } from '../describe-rse.ts';
import { requireLiveRse } from '../find-rse.ts';
import { describeProtocol } from './describe.ts';

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
 * Settings of an RSE with all its protocols, as Rucio answers who asks for one scheme (spec/rses.md 1.17).
 *
 * @throws RSENotFound (404).
 */
export async function getProtocols({ store }: Context, name: string): Promise<Omit<RseSettings, 'availability'>> {
  const { availability: _, ...settings } = describeSettings(await requireLiveRse(store.table, name));
  return settings;
}
