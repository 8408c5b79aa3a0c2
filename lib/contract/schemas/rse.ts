import * as z from 'zod/mini';

import { toText } from '../../json.ts';
import { date, mapped } from './common.ts';
import { protocolEntry } from './rse-protocol.ts';
import { unwrapped } from './wrapped.ts';

const rseTypes = ['DISK', 'TAPE'] as const;

const rseType = z
  .custom<(typeof rseTypes)[number]>((value) => rseTypes.some((type) => type === value), {
    error: ({ input }) => `Invalid rse_type: ${toText(input)}`,
    params: { exception: 'InvalidObject' },
  })
  .check(z.meta({ type: 'string', enum: [...rseTypes] }));

const flag = mapped(z.union([z.boolean(), z.literal([0, 1])]), Boolean);

/** An angle, to a billionth of a degree. */
const degrees = (most: number) =>
  z.nullish(mapped(z.number().check(z.minimum(-most), z.maximum(most)), (angle) => Number(angle.toFixed(9))));

const place = (longest: number) => z.nullish(z.string().check(z.maxLength(longest)));

/** The location of an RSE. */
const location = {
  city: place(255),
  country_name: place(255),
  time_zone: place(255),
  region_code: place(2),
  continent: place(2),
  latitude: degrees(90),
  longitude: degrees(180),
};

const mask = z.int().check(z.meta({ description: 'Read 4, write 2, delete 1; higher bits are ignored' }));

/** Body of the creation of an RSE (spec/rses.md 1.2); unknown keys are ignored, null means the default. */
export const newRse = z.object({
  deterministic: z.nullish(flag),
  volatile: z.nullish(flag),
  staging_area: z.nullish(flag),
  rse_type: z.nullish(rseType),
  ...location,
  ISP: place(255),
  ASN: place(255),
  availability: z.nullish(mask),
  availability_read: z.nullish(flag),
  availability_write: z.nullish(flag),
  availability_delete: z.nullish(flag),
});
export type NewRse = z.output<typeof newRse>;

/** The mutable properties of an RSE (spec/rses.md 1.4). */
const changes = {
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  deterministic: flag,
  volatile: flag,
  staging_area: flag,
  rse_type: rseType,
  ...location,
  qos_class: z.nullable(z.string().check(z.maxLength(64))),
  availability: mask,
  availability_read: flag,
  availability_write: flag,
  availability_delete: flag,
};

/** Body of the change of an RSE; the domain refuses other keys. */
export const rseChange = unwrapped(z.partial(z.looseObject(changes)));
export type RseChange = z.output<typeof rseChange>;

/** The keys of that body. */
export const rseProperties: ReadonlySet<string> = new Set(Object.keys(changes));

const properties = {
  id: z.string(),
  rse: z.string(),
  rse_type: z.enum(rseTypes),
  deterministic: z.boolean(),
  volatile: z.boolean(),
  staging_area: z.boolean(),
  availability: z.int(),
  availability_read: z.boolean(),
  availability_write: z.boolean(),
  availability_delete: z.boolean(),
  qos_class: z.nullable(z.string()),
};

const attribute = z.union([z.string(), z.boolean()]);

/** Settings of an RSE (spec/rses.md 2.5). */
export const rseSettings = z.object({
  ...properties,
  credentials: z.null(),
  domain: z.array(z.string()),
  lfn2pfn_algorithm: attribute,
  verify_checksum: attribute,
  sign_url: z.nullable(attribute),
  protocols: z.array(protocolEntry),
});
export type RseSettings = z.input<typeof rseSettings>;

const text = z.nullable(z.string());
const angle = z.nullable(z.number());

/** A line of the list of all RSEs (spec/rses.md 2.6). */
export const rseRecord = z.object({
  ...properties,
  vo: z.literal('def'),
  city: text,
  region_code: text,
  country_name: text,
  continent: text,
  time_zone: text,
  ISP: text,
  ASN: text,
  longitude: angle,
  latitude: angle,
  created_at: date,
  updated_at: date,
  deleted: z.literal(false),
  deleted_at: z.null(),
});
export type RseRecord = z.input<typeof rseRecord>;

/** A line of the list of RSEs: all properties, or the name alone if an expression was given. */
export const rseLine = z.union([rseRecord, z.object({ rse: z.string() })]);
export type RseLine = z.input<typeof rseLine>;
