import type * as z from 'zod';

import { rseName } from '../../contract/schemas/did.ts';
import type { rseSettings } from '../../contract/schemas/rse.ts';
import { fail } from '../../errors.ts';
import { getRse as readRse } from '../../store/entities/rse.ts';
import type { Context } from '../context.ts';

/**
 * Settings of an RSE (spec/rses.md 1.3, 2.5).
 *
 * @throws RSENotFound (404).
 */
export async function getRse({ store }: Context, name: string): Promise<z.input<typeof rseSettings>> {
  const rse = rseName.safeParse(name).success ? await readRse(store.table, name) : undefined;
  if (rse === undefined) return fail('RSENotFound', `RSE '${name}' cannot be found in vo 'def'`);
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
    verify_checksum: (attributes['verify_checksum'] ?? true) as boolean | string,
    sign_url: (attributes['sign_url'] ?? null) as string | null,
    protocols: [],
  };
}
