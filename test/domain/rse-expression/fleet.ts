import type { Rse } from '../../../lib/store/entities/rse.ts';

/** An RSE as the store reads it, with Rucio's defaults. */
export function rseOf(rse: string, given: Partial<Rse> = {}): Rse {
  return {
    id: Buffer.from(rse).toString('hex').padStart(32, '0').slice(-32),
    rse,
    rseType: 'DISK',
    deterministic: true,
    volatile: false,
    stagingArea: false,
    availabilityRead: true,
    availabilityWrite: true,
    availabilityDelete: true,
    location: {},
    protocols: [],
    limits: {},
    qosPolicies: [],
    createdAt: 1,
    updatedAt: 1,
    unsettled: [],
    ...given,
    attributes: { [rse]: true, ...given.attributes },
  };
}
