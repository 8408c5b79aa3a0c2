import * as z from 'zod';

import { count, date, integer, pattern } from './common.ts';

/** What names a DID: its scope and its name (spec/dids.md 4.1). */
export interface DidKey {
  readonly scope: string;
  readonly name: string;
}

/** spec/dids.md 4.1. */
export const scopeName = pattern(/^[a-zA-Z_\-.0-9]+$/, 25);
/** spec/dids.md 4.1. */
export const didName = pattern(/^[/A-Za-z0-9][/A-Za-z0-9.\-_]*$/, 250);
/** spec/rses.md 2.1. */
export const rseName = pattern(/^([A-Z0-9]+([_-][A-Z0-9]+)*)$/, 255);
const adler32 = pattern(/^[a-fA-F\d]{8}$/, 8);
const md5 = pattern(/^[a-fA-F\d]{32}$/, 32);
const guid = pattern(/^\{?[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}\}?$/, 38);

/** The three types of a DID. */
export const didType = z.enum(['FILE', 'DATASET', 'CONTAINER']);
export type DidType = z.infer<typeof didType>;

/** The type of a new DID, in any case; whether a DID of that type can be created is the domain's to say. */
const newDidType = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(didType);

/** Free metadata: any key, any JSON value; the domain sorts columns from the rest. */
export const metadata = z.record(z.string(), z.unknown());
export type Metadata = z.infer<typeof metadata>;

const replicaState = z
  .enum(['A', 'U', 'C', 'B', 'D', 'S', 'T', 'AVAILABLE', 'UNAVAILABLE', 'COPYING', 'BEING_DELETED', 'BAD', 'SOURCE'])
  .or(z.literal('TEMPORARY_UNAVAILABLE'));

/** A DID in a list of a body; unknown keys are refused (spec/dids.md 4.2). */
export const didElement = z.strictObject({
  scope: scopeName,
  name: didName,
  type: z.enum(['DATASET', 'CONTAINER', 'FILE', 'F']).optional(),
  meta: z.looseObject({ guid: guid.optional() }).optional(),
  rules: z.array(z.unknown()).optional(),
  bytes: count.optional(),
  adler32: adler32.optional(),
  md5: md5.optional(),
  state: replicaState.optional(),
  pfn: z.string().optional(),
});
export type DidElement = z.infer<typeof didElement>;

/** 1 to 1000 DIDs. */
export const didElements = z.array(didElement).min(1).max(1000);

const lifetime = z
  .number()
  .min(-1e10)
  .max(1e10)
  .nullish()
  .meta({ description: 'Seconds from now; 0 and null: for ever' });

/** A replication rule in the creation of a DID (spec/dids.md 2.2 step 9); unknown keys are ignored. */
const inlineRule = z.object({
  copies: z.int().min(1),
  rse_expression: z.string().min(1),
  account: z.string().optional(),
  lifetime: z.number().min(-1e10).max(1e10).nullish(),
  grouping: z.string().nullish(),
  weight: z.string().nullish(),
  locked: z.boolean().nullish(),
  subscription_id: z.string().nullish(),
  source_replica_expression: z.string().nullish(),
  activity: z.string().nullish(),
  notify: z.string().nullish(),
  purge_replicas: z.boolean().nullish(),
  ignore_availability: z.boolean().nullish(),
  comment: z.string().nullish(),
  ask_approval: z.boolean().nullish(),
  asynchronous: z.boolean().nullish(),
  delay_injection: z.int().min(-1e10).max(1e10).nullish(),
  priority: z.int().nullish(),
  split_container: z.boolean().nullish(),
  meta: z.unknown().optional(),
});
export type InlineRule = z.infer<typeof inlineRule>;

const monotonic = z.looseObject({ monotonic: z.boolean().optional() });

const creation = {
  type: newDidType,
  statuses: monotonic.nullish(),
  meta: metadata.nullish(),
  rules: z.array(inlineRule).nullish(),
  lifetime,
  dids: z.union([z.array(didElement).max(0), didElements]).nullish(),
  rse: rseName.nullish(),
};

/** Body of the creation of one DID (spec/dids.md 2.2). */
export const newDid = z.object(creation);
export type NewDid = z.infer<typeof newDid>;

/** Body of the creation of many DIDs (spec/dids.md 2.1). */
export const newDids = z.array(
  z.object({
    ...creation,
    scope: scopeName,
    name: didName,
    account: z.string().optional(),
    statuses: z.union([monotonic, z.string().transform((text) => ({ monotonic: text === 'monotonic' }))]).nullish(),
  }),
);
export type NewDidOfMany = z.infer<typeof newDids>[number];

/** Body of the attachment of DIDs: Rucio's object, or the interface document's list (spec/dids.md 2.6). */
export const attachment = z.union([
  z.strictObject({
    dids: didElements,
    rse: rseName.nullish(),
    scope: z.unknown().optional(),
    name: z.unknown().optional(),
  }),
  didElements.transform((dids) => ({ dids, rse: undefined })),
]);

const parentAttachment = z.strictObject({
  scope: scopeName,
  name: didName,
  rse: rseName.nullish(),
  // In a list of attachments a missing member is a violation of the schema, not a KeyError.
  dids: z.preprocess((dids) => dids ?? null, didElements),
});

/** Body of the attachment of DIDs to many DIDs (spec/dids.md 2.8). */
export const attachments = z.array(parentAttachment).max(1000);
export type ParentAttachment = z.infer<typeof parentAttachment>;

/** A DID that is named and nothing else; other keys are ignored. */
export const namedDid = z.object({ scope: scopeName, name: didName });

/** Answer to `GET /dids/{scope}/{name}`; `type` for the official client, `did_type` for the interface document. */
export const did = z.object({
  scope: z.string(),
  name: z.string(),
  type: didType,
  did_type: didType,
  account: z.string(),
  open: z.boolean(),
  monotonic: z.boolean(),
  expired_at: date.nullable(),
  length: integer,
  bytes: integer,
  md5: z.string().nullable().optional(),
  adler32: z.string().nullable().optional(),
});

/** A line of a DID's content (spec/dids.md 2.5). */
export const contentLine = z.object({
  scope: z.string(),
  name: z.string(),
  type: didType,
  bytes: integer.nullable(),
  adler32: z.string().nullable(),
  md5: z.string().nullable(),
});

/** A line of a DID's files (spec/dids.md 2.10). */
export const fileLine = z.object({
  scope: z.string(),
  name: z.string(),
  bytes: integer.nullable(),
  adler32: z.string().nullable(),
  guid: z.string().nullable(),
  events: integer.nullable(),
  lumiblocknr: integer.nullable().optional(),
});

/** A line of a DID's parents (spec/dids.md 2.12). */
export const parentLine = z.object({ scope: z.string(), name: z.string(), type: didType });

/** A line of a scope's listing (spec/dids.md 2.24). */
export const scopeLine = z.object({
  scope: z.string(),
  name: z.string(),
  type: didType,
  parent: z.object({ scope: z.string(), name: z.string() }).nullable(),
  level: z.int(),
  bytes: integer.nullable().optional(),
});
