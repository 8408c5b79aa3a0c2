import type { RseRecord, RseSettings } from '../../contract/schemas/rse.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDate } from '../../time.ts';
import { toAvailabilityMask } from '../values/availability.ts';
import { describeProtocol } from './protocols/describe-protocol.ts';

import policy from '#policy';

/** The settings of an RSE on the wire (spec/rses.md 2.5). */
export function describeSettings(rse: Rse): RseSettings {
  const { lfn2pfn_algorithm: algorithm, verify_checksum: verify, sign_url: signUrl } = rse.attributes;
  return {
    ...describeProperties(rse),
    credentials: null,
    domain: ['lan', 'wan'],
    lfn2pfn_algorithm: algorithm || policy.defaultPath,
    verify_checksum: verify ?? true,
    sign_url: signUrl ?? null,
    protocols: rse.protocols.map(describeProtocol),
  };
}

/** An RSE in the list of all RSEs (spec/rses.md 2.6). */
export function describeRecord(rse: Rse): RseRecord {
  const { location } = rse;
  const text = (key: string) => (location[key] ?? null) as string | null;
  const number = (key: string) => (location[key] ?? null) as number | null;
  return {
    ...describeProperties(rse),
    vo: 'def',
    city: text('city'),
    region_code: text('region_code'),
    country_name: text('country_name'),
    continent: text('continent'),
    time_zone: text('time_zone'),
    ISP: text('ISP'),
    ASN: text('ASN'),
    longitude: number('longitude'),
    latitude: number('latitude'),
    created_at: formatDate(rse.createdAt),
    updated_at: formatDate(rse.updatedAt),
    deleted: false,
    deleted_at: null,
  };
}

function describeProperties(rse: Rse) {
  return {
    id: rse.id,
    rse: rse.rse,
    rse_type: rse.rseType === 'TAPE' ? ('TAPE' as const) : ('DISK' as const),
    deterministic: rse.deterministic,
    volatile: rse.volatile,
    staging_area: rse.stagingArea,
    availability: toAvailabilityMask(rse),
    availability_read: rse.availabilityRead,
    availability_write: rse.availabilityWrite,
    availability_delete: rse.availabilityDelete,
    qos_class: rse.qosClass ?? null,
  };
}
