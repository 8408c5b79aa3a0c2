import * as z from 'zod/mini';

import { bigInteger, date, integer, shortText, withoutProto } from './common.ts';
import { namedIdentity } from './identity.ts';
import { accountName } from './names.ts';
import { attributeKey, rseAttribute, rseAttributeValues } from './rse-attribute.ts';
import { distanceValue } from './rse-distance.ts';
import { protocolInput } from './rse-protocol.ts';
import { newRse, rseRecord, rseSettings } from './rse.ts';

const rseName = z.string().check(z.minLength(1), z.maxLength(255));

/** An object with free keys. */
function byName<K extends z.ZodMiniString, V extends z.ZodMiniType>(name: K, value: V) {
  return withoutProto(z.record(name, value));
}

const attribute = z.nullish(rseAttribute.shape.value);

/** A protocol with all the members that identify it. */
const importedProtocol = protocolInput.check(
  z.refine(
    ({ scheme, hostname, port }) =>
      typeof scheme === 'string' && typeof hostname === 'string' && typeof port === 'number',
    { error: 'scheme, hostname and port must be given' },
  ),
);

export type ImportedProtocol = z.output<typeof importedProtocol>;

/** An RSE in the body of an import; null counts as absent, unknown keys are ignored (spec/rses.md 1.30). */
const importedRse = z.extend(newRse, {
  name: z.nullish(rseName).check(z.meta({ description: 'The new name' })),
  qos_class: z.nullish(z.string().check(z.maxLength(64))),
  protocols: z.nullish(z.array(importedProtocol).check(z.maxLength(250))),
  attributes: z.nullish(byName(attributeKey, attribute)),
  lfn2pfn_algorithm: attribute,
  verify_checksum: attribute,
  MinFreeSpace: z.nullish(bigInteger),
});
export type ImportedRse = z.output<typeof importedRse>;

const importedDistance = z.object({ distance: distanceValue, ranking: distanceValue });
export type ImportedDistance = z.output<typeof importedDistance>;

const importedAccount = z.object({
  account: accountName,
  email: z.nullable(shortText),
  identities: z.nullish(
    z.array(
      z.object({
        type: namedIdentity.shape.authtype,
        identity: namedIdentity.shape.identity,
        password: z.nullish(z.string()),
      }),
    ),
  ),
});
export type ImportedAccount = z.output<typeof importedAccount>;

/** Body of an import (spec/rses.md 1.30). */
export const fleetImport = z.object({
  rses: z.optional(byName(rseName, importedRse)).check(z.meta({ description: 'RSEs by name' })),
  distances: z
    .optional(byName(rseName, byName(rseName, importedDistance)))
    .check(z.meta({ description: 'Distances by source RSE, then by destination RSE' })),
  accounts: z
    .optional(z.array(importedAccount))
    .check(
      z.meta({ description: 'The complete list of accounts: unless it is empty, all others but root are deleted' }),
    ),
});
export type FleetImport = z.output<typeof fleetImport>;

const { lfn2pfn_algorithm, verify_checksum, credentials, protocols } = rseSettings.shape;

/** An RSE in an export. */
const exportedRse = z.extend(
  z.omit(rseRecord, { continent: true, ISP: true, ASN: true, deleted: true, deleted_at: true }),
  {
    attributes: rseAttributeValues,
    lfn2pfn_algorithm,
    verify_checksum,
    credentials,
    protocols,
    MinFreeSpace: z.nullable(integer),
  },
);
export type ExportedRse = z.input<typeof exportedRse>;

const exportedDistance = z.object({
  src_rse_id: z.string(),
  dest_rse_id: z.string(),
  distance: z.nullable(z.int()),
  ranking: z.nullable(z.int()),
  created_at: date,
  updated_at: date,
});
export type ExportedDistance = z.input<typeof exportedDistance>;

/** Answer to an export; also a valid body of an import (spec/rses.md 1.29). */
export const fleetExport = z.object({
  rses: z.record(z.string(), exportedRse),
  distances: z.optional(z.record(z.string(), z.record(z.string(), exportedDistance))),
});
export type FleetExport = z.input<typeof fleetExport>;
