import * as z from 'zod/mini';

import { date, integer, looseFlag, shortText } from './common.ts';
import { didType, givenMetadata, knownDidElement, metadata } from './did.ts';

import policy from '#policy';

const flag = z.nullable(z.boolean());
const text = z.nullable(z.string());
const number = z.nullable(integer);
const time = z.nullable(date);

/** The columns of a DID (spec/dids.md 4.3). */
export const didColumns = z.object({
  scope: z.string(),
  name: z.string(),
  account: z.string(),
  did_type: didType,
  is_open: flag,
  monotonic: z.boolean(),
  hidden: flag,
  obsolete: z.boolean(),
  complete: flag,
  is_new: flag,
  availability: z.string(),
  suppressed: z.boolean(),
  bytes: number,
  length: number,
  md5: text,
  adler32: text,
  expired_at: time,
  purge_replicas: flag,
  deleted_at: time,
  events: number,
  guid: text,
  project: text,
  datatype: text,
  run_number: number,
  stream_name: text,
  prod_step: text,
  version: text,
  campaign: text,
  task_id: number,
  panda_id: number,
  lumiblocknr: number,
  provenance: text,
  phys_group: text,
  transient: flag,
  accessed_at: time,
  closed_at: time,
  eol_at: time,
  is_archive: flag,
  constituent: flag,
  access_cnt: number,
  created_at: date,
  updated_at: date,
});

/** The answer to `GET /dids/{scope}/{name}/meta`: columns, free metadata or both, depending on the plugin. */
export const metadataAnswer = z.union([z.catchall(didColumns, z.unknown()), metadata]);

/** The plugin that answers: `DID_COLUMN`, `JSON` or `ALL`, case-insensitive; the domain refuses others. */
export const metadataPlugin = z._default(z.string(), 'DID_COLUMN');

/** A required value; null is allowed. */
const anyValue = z.unknown().check(z.refine((value) => value !== undefined));

/** Body that sets one key (spec/dids.md 2.16). */
export const metadataValue = z.object({
  value: required('value', anyValue),
  recursive: looseFlag('recursive'),
});

/** Body that sets many keys of one DID (spec/dids.md 2.16). */
export const metadataValues = z.object({ meta: givenMetadata, recursive: looseFlag('recursive') });

/** Body that sets metadata of many DIDs (spec/dids.md 2.19). */
export const metadataOfDids = z.object({
  dids: z
    .array(
      z.object({
        scope: required('scope', z.string()),
        name: required('name', z.string()),
        meta: required('meta', givenMetadata),
      }),
    )
    .check(z.maxLength(1000)),
});

/** Body that asks for the metadata of many DIDs (spec/dids.md 2.18). */
export const bulkMetadata = z.object({
  dids: z.array(knownDidElement).check(z.maxLength(policy.lists.created)),
  inherit: looseFlag('inherit'),
  plugin: metadataPlugin,
});
export type BulkMetadata = z.output<typeof bulkMetadata>;

/** Body that adds a key to the metadata conventions, or a value to a key (spec/dids.md 2.29). */
export const newConvention = z.object({
  key_type: z.nullish(z.string()),
  value_type: z.nullish(z.string()),
  value_regexp: z.nullish(shortText),
  value: z.optional(z.union([z.string(), integer, z.number(), z.boolean()])),
});

/** A required member; its absence is a KeyError at any depth. */
function required<S extends z.ZodMiniType>(key: string, schema: S) {
  return z.pipe(
    z.unknown().check(
      z.superRefine((value, context) => {
        if (value !== undefined) return;
        const params = { exception: 'KeyError' };
        context.addIssue({ code: 'custom', message: `'${key}' not defined`, params, continue: false });
      }),
    ),
    schema,
  );
}
