import type * as z from 'zod';

import type { rseSettings } from '../../contract/schemas/rse.ts';
import type { Context } from '../context.ts';
import { requireLiveRse } from './find-rse.ts';

/**
 * Settings of an RSE (spec/rses.md 1.3, 2.5).
 *
 * @throws RSENotFound (404).
 */
export async function getRse({ store }: Context, name: string): Promise<z.input<typeof rseSettings>> {
  const rse = await requireLiveRse(store.table, name);
  const { attributes, availabilityRead, availabilityWrite, availabilityDelete } = rse;
  return {
    id: rse.id,
    rse: rse.rse,
    rse_type: rse.rseType === 'TAPE' ? 'TAPE' : 'DISK',
    deterministic: rse.deterministic,
    volatile: rse.volatile,
    staging_area: rse.stagingArea,
    availability: (availabilityRead ? 4 : 0) + (availabilityWrite ? 2 : 0) + (availabilityDelete ? 1 : 0),
    availability_read: availabilityRead,
    availability_write: availabilityWrite,
    availability_delete: availabilityDelete,
    qos_class: null,
    credentials: null,
    domain: ['lan', 'wan'],
    lfn2pfn_algorithm: (attributes['lfn2pfn_algorithm'] ?? 'hash') as string,
    verify_checksum: attributes['verify_checksum'] ?? true,
    sign_url: (attributes['sign_url'] ?? null) as string | null,
    protocols: [],
  };
}
