import * as z from 'zod';

import { looseBoolean } from './common.ts';

const flag = (name: string) => z.preprocess((value) => value ?? undefined, looseBoolean(name).optional());
/** An angle, to a billionth of a degree. */
const degrees = (most: number) =>
  z
    .number()
    .min(-most)
    .max(most)
    .transform((angle) => Number(angle.toFixed(9)))
    .nullish();
const place = (longest: number) => z.string().max(longest).nullish();

/** Body of the creation of an RSE (spec/rses.md 1.2); unknown keys are ignored, null means the default. */
export const newRse = z.object({
  deterministic: flag('deterministic'),
  volatile: flag('volatile'),
  staging_area: flag('staging_area'),
  rse_type: z.enum(['DISK', 'TAPE'], { error: ({ input }) => `Invalid rse_type: ${String(input)}` }).nullish(),
  city: place(255),
  country_name: place(255),
  time_zone: place(255),
  ISP: place(255),
  ASN: place(255),
  region_code: place(2),
  continent: place(2),
  latitude: degrees(90),
  longitude: degrees(180),
  availability: z.int().nullish(),
  availability_read: flag('availability_read'),
  availability_write: flag('availability_write'),
  availability_delete: flag('availability_delete'),
});
export type NewRse = z.output<typeof newRse>;

/** Settings of an RSE (spec/rses.md 2.5). */
export const rseSettings = z.object({
  id: z.string(),
  rse: z.string(),
  rse_type: z.enum(['DISK', 'TAPE']),
  deterministic: z.boolean(),
  volatile: z.boolean(),
  staging_area: z.boolean(),
  availability: z.int(),
  availability_read: z.boolean(),
  availability_write: z.boolean(),
  availability_delete: z.boolean(),
  qos_class: z.string().nullable(),
  credentials: z.null(),
  domain: z.array(z.string()),
  lfn2pfn_algorithm: z.string(),
  verify_checksum: z.union([z.boolean(), z.string()]),
  sign_url: z.string().nullable(),
  protocols: z.array(z.unknown()),
});
