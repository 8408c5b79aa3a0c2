import type { RseSettings } from '../../contract/schemas/rse.ts';
import { describeSettings } from '../../domain/rses/describe-rse.ts';
import { requireLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * Settings of an RSE (spec/rses.md 1.3, 2.5).
 *
 * @throws RSENotFound (404), also for a disabled one.
 */
export async function getRseSettings({ store }: Context, name: string): Promise<RseSettings> {
  return describeSettings(await requireLiveRse(store.table, name));
}
