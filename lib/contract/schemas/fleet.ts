import * as z from 'zod';

import { accountName } from './account.ts';
import { bigInteger, date, integer } from './common.ts';
import { namedIdentity } from './identity.ts';
import { attributeKey, rseAttribute, rseAttributes } from './rse-attribute.ts';
import { distanceValue } from './rse-distance.ts';
import { protocolInput } from './rse-protocol.ts';
import { newRse, rseRecord, rseSettings } from './rse.ts';

const rseName = z.string().min(1).max(255);

/** An object by names that are chosen freely; `__proto__`, which would get lost on the way, is none. */
function byName<K extends z.ZodString, V extends z.ZodType>(name: K, value: V) {
  return z.preprocess(
    (given, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
        context.addIssue({ code: 'custom', message: '__proto__ is no name' });
      }
      return given;
    },
    z.record(name, value),
  );
}

const attribute = rseAttribute.shape.value.nullish();

/** A protocol that says which one it is. */
const importedProtocol = protocolInput.refine(
  ({ scheme, hostname, port }) =>
    typeof scheme === 'string' && typeof hostname === 'string' && typeof port === 'number',
  { error: 'scheme, hostname and port must be given' },
);

export type ImportedProtocol = z.output<typeof importedProtocol>;

/** An RSE in the body of an import; null says nothing, and unknown keys are ignored (spec/rses.md 1.30). */
const importedRse = newRse.extend({
  name: rseName.nullish().meta({ description: 'The new name' }),
  qos_class: z.string().max(64).nullish(),
  protocols: z.array(importedProtocol).max(250).nullish(),
  attributes: byName(attributeKey, attribute).nullish(),
  lfn2pfn_algorithm: attribute,
  verify_checksum: attribute,
  MinFreeSpace: bigInteger.nullish(),
});
export type ImportedRse = z.output<typeof importedRse>;

const importedDistance = z.object({ distance: distanceValue, ranking: distanceValue });
export type ImportedDistance = z.output<typeof importedDistance>;

const importedAccount = z.object({
  account: accountName,
  email: z.string().nullable(),
  identities: z
    .array(
      z.object({
        type: namedIdentity.shape.authtype,
        identity: namedIdentity.shape.identity,
        password: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type ImportedAccount = z.output<typeof importedAccount>;

/** Body of an import (spec/rses.md 1.30). */
export const fleetImport = z.object({
  rses: byName(rseName, importedRse).optional().meta({ description: 'RSEs by name' }),
  distances: byName(rseName, byName(rseName, importedDistance))
    .optional()
    .meta({ description: 'Distances by the name of the RSE where they begin, then of that where they end' }),
  accounts: z
    .array(importedAccount)
    .optional()
    .meta({ description: 'All accounts there shall be: unless it is empty, all others but root are deleted' }),
});
export type FleetImport = z.output<typeof fleetImport>;

const { lfn2pfn_algorithm, verify_checksum, credentials, protocols } = rseSettings.shape;

/** An RSE in an export. */
const exportedRse = rseRecord.omit({ continent: true, ISP: true, ASN: true, deleted: true, deleted_at: true }).extend({
  attributes: rseAttributes,
  lfn2pfn_algorithm,
  verify_checksum,
  credentials,
  protocols,
  MinFreeSpace: integer.nullable(),
});
export type ExportedRse = z.input<typeof exportedRse>;

const exportedDistance = z.object({
  src_rse_id: z.string(),
  dest_rse_id: z.string(),
  distance: z.int().nullable(),
  ranking: z.int().nullable(),
  created_at: date,
  updated_at: date,
});
export type ExportedDistance = z.input<typeof exportedDistance>;

/** Answer to an export; it is the body of an import as well (spec/rses.md 1.29). */
export const fleetExport = z.object({
  rses: z.record(z.string(), exportedRse),
  distances: z.record(z.string(), z.record(z.string(), exportedDistance)).optional(),
});
export type FleetExport = z.input<typeof fleetExport>;
