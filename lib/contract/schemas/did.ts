import * as z from 'zod/mini';

import { normaliseChecksum } from '../../checksum.ts';
import { count, date, integer, pattern, mapped, rseExpression, withoutProto } from './common.ts';
import { didName, knownDidName, knownScopeName, rseName, scopeName } from './names.ts';
import { newReplicaState } from './replica-state.ts';

import policy from '#policy';

/** The identity of a DID: its scope and its name (spec/dids.md 4.1). */
export interface DidKey {
  readonly scope: string;
  readonly name: string;
}

export const adler32 = mapped(pattern(/^[a-fA-F\d]{8}$/, 8), (text) => normaliseChecksum('adler32', text));
const md5 = mapped(pattern(/^[a-fA-F\d]{32}$/, 32), (text) => normaliseChecksum('md5', text));
export const guid = pattern(
  /^\{?[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}\}?$/,
  38,
);

/** The three types of a DID. */
export const didType = z.enum(['FILE', 'DATASET', 'CONTAINER']);
export type DidType = z.infer<typeof didType>;

/** The type of a new DID, case-insensitive; the domain decides whether a DID of that type can be created. */
const newDidType = z.pipe(
  mapped(z.string(), (text) => text.toUpperCase()),
  didType,
);

/** Free metadata: any key, any JSON value; the domain separates columns from the rest. */
export const metadata = z.record(z.string(), z.unknown());

const noProto = { exception: 'InvalidMetadata', message: 'The metadata key __proto__ cannot be set' } as const;

/** Free metadata in a body. */
export const givenMetadata = withoutProto(metadata, noProto);
export type Metadata = z.infer<typeof metadata>;

const elementMetadata = z.looseObject({ guid: z.optional(guid) });

/** A DID in a list of a body; unknown keys are refused (spec/dids.md 4.2). */
export const didElement = z.strictObject({
  scope: scopeName,
  name: didName,
  type: z.optional(z.enum(['DATASET', 'CONTAINER', 'FILE', 'F'])),
  meta: z.optional(withoutProto(elementMetadata, noProto)),
  rules: z.optional(z.array(z.unknown())),
  bytes: z.optional(count),
  adler32: z.optional(adler32),
  md5: z.optional(md5),
  state: z.optional(newReplicaState),
  pfn: z.optional(z.string()),
});
export type DidElement = z.infer<typeof didElement>;

/** DIDs to create or attach. */
export const didElements = z.array(didElement).check(z.minLength(1), z.maxLength(policy.lists.created));

const lifetime = z
  .nullish(z.number().check(z.minimum(-1e10), z.maximum(1e10)))
  .check(z.meta({ description: 'Seconds from now; 0 and null: no expiry' }));

/** A replication rule in the creation of a DID (spec/dids.md 2.2 step 9); unknown keys are ignored. */
const inlineRule = z.object({
  copies: z.int().check(z.minimum(1)),
  rse_expression: rseExpression.check(z.minLength(1)),
  account: z.optional(z.string()),
  lifetime: z.nullish(z.number().check(z.minimum(-1e10), z.maximum(1e10))),
  grouping: z.nullish(z.string().check(z.maxLength(20))),
  weight: z.nullish(z.string().check(z.maxLength(255))),
  locked: z.nullish(z.boolean()),
  subscription_id: z.nullish(z.string().check(z.maxLength(36))),
  source_replica_expression: z.nullish(z.string().check(z.maxLength(255))),
  activity: z.nullish(z.string().check(z.maxLength(50))),
  notify: z.nullish(z.string().check(z.maxLength(20))),
  purge_replicas: z.nullish(z.boolean()),
  ignore_availability: z.nullish(z.boolean()),
  comment: z.nullish(z.string().check(z.maxLength(250))),
  ask_approval: z.nullish(z.boolean()),
  asynchronous: z.nullish(z.boolean()),
  delay_injection: z.nullish(z.int().check(z.minimum(-1e10), z.maximum(1e10))),
  priority: z.nullish(z.int()),
  split_container: z.nullish(z.boolean()),
  meta: z.optional(z.unknown()),
});
export type InlineRule = z.infer<typeof inlineRule>;

const monotonic = z.looseObject({ monotonic: z.optional(z.boolean()) });

const creation = {
  type: newDidType,
  statuses: z.nullish(monotonic),
  meta: z.nullish(givenMetadata),
  rules: z.nullish(z.array(inlineRule)),
  lifetime,
  dids: z.nullish(z.union([z.array(didElement).check(z.maxLength(0)), didElements])),
  rse: z.nullish(rseName),
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
    account: z.optional(z.string()),
    statuses: z.nullish(z.union([monotonic, mapped(z.string(), (text) => ({ monotonic: text === 'monotonic' }))])),
  }),
);
export type NewDidOfMany = z.infer<typeof newDids>[number];

/** Body of the attachment of DIDs: Rucio's object, or the list of spec/interface.md 4.1 (spec/dids.md 2.6). */
export const attachment = z.union([
  z.strictObject({
    dids: didElements,
    rse: z.nullish(rseName),
    scope: z.optional(z.unknown()),
    name: z.optional(z.unknown()),
  }),
  mapped(didElements, (dids) => ({ dids, rse: undefined })),
]);

const parentAttachment = z.strictObject({
  scope: scopeName,
  name: didName,
  rse: z.nullish(rseName),
  // In a list of attachments a missing member is an InvalidObject, not a KeyError.
  dids: z.pipe(
    z.transform((dids) => dids ?? null),
    didElements,
  ),
});

/** Body of the attachment of DIDs to many DIDs (spec/dids.md 2.8). */
export const attachments = z.array(parentAttachment).check(z.maxLength(policy.lists.created));
export type ParentAttachment = z.infer<typeof parentAttachment>;

/** A DID that exists, by its key alone; other keys are ignored. */
export const namedDid = z.object({ scope: knownScopeName, name: knownDidName });

/** {@link didElement} where a DID is only named: its metadata are ignored, so that no key of them matters. */
export const namedElement = z.extend(didElement, { meta: z.optional(elementMetadata) });

/** {@link namedElement} for a DID that exists. */
export const knownDidElement = z.extend(namedElement, { scope: knownScopeName, name: knownDidName });

/** Answer to `GET /dids/{scope}/{name}`; `type` is for the official client, `did_type` for spec/interface.md 2.1. */
export const did = z.object({
  scope: z.string(),
  name: z.string(),
  type: didType,
  did_type: didType,
  account: z.string(),
  open: z.boolean(),
  monotonic: z.boolean(),
  expired_at: z.nullable(date),
  length: integer,
  bytes: integer,
  md5: z.optional(z.nullable(z.string())),
  adler32: z.optional(z.nullable(z.string())),
});

/** A line of a DID's content (spec/dids.md 2.5). */
export const contentLine = z.object({
  scope: z.string(),
  name: z.string(),
  type: didType,
  bytes: z.nullable(integer),
  adler32: z.nullable(z.string()),
  md5: z.nullable(z.string()),
});

/** A line of a DID's files (spec/dids.md 2.10). */
export const fileLine = z.object({
  scope: z.string(),
  name: z.string(),
  bytes: z.nullable(integer),
  adler32: z.nullable(z.string()),
  guid: z.nullable(z.string()),
  events: z.nullable(integer),
  lumiblocknr: z.optional(z.nullable(integer)),
});

/** A line of a DID's parents (spec/dids.md 2.12). */
export const parentLine = z.object({ scope: z.string(), name: z.string(), type: didType });

/** A line of a scope's listing (spec/dids.md 2.24). */
export const scopeLine = z.object({
  scope: z.string(),
  name: z.string(),
  type: didType,
  parent: z.nullable(z.object({ scope: z.string(), name: z.string() })),
  level: z.int(),
  bytes: z.optional(z.nullable(integer)),
});
