import * as z from 'zod/mini';

import { toText } from '../../json.ts';
import { date, integer, looseBoolean, looseFlag, mapped, rseExpression } from './common.ts';
import { didElement, namedElement } from './did.ts';
import { replicaState, replicaStateName } from './replica-state.ts';

import policy from '#policy';

const newReplica = z.extend(didElement, { state: z.optional(replicaState) });
export type NewReplica = z.output<typeof newReplica>;

/** Body that registers replicas (spec/replication.md 1.2). */
export const newReplicas = z.object({
  rse: z.string(),
  files: z.array(newReplica).check(z.minLength(1), z.maxLength(policy.lists.created)),
  ignore_availability: looseFlag('ignore_availability'),
});

const replicaChange = z.object({
  scope: z.string(),
  name: z.string(),
  state: replicaState,
  path: z
    .optional(z.string().check(z.maxLength(1024)))
    .check(z.meta({ description: 'Current path of the replica, below the prefix' })),
  error_message: z
    .nullish(z.string())
    .check(z.meta({ description: 'Why it is unavailable; becomes the error of rules that need the replica' })),
});
export type ReplicaChange = z.output<typeof replicaChange>;

/** Body that changes the states of replicas (spec/replication.md 1.3); other keys are ignored. */
export const replicaChanges = z.object({
  rse: z.string(),
  files: z.array(replicaChange).check(z.maxLength(policy.lists.created)),
});

const looseText = z.string().check(z.regex(/\w/));

/** A DID in a query: any name is accepted, but no key besides those of a DID. */
const askedDid = z.extend(namedElement, { scope: looseText, name: looseText });

/** Body that deletes replicas (spec/replication.md 1.3). */
export const deletedReplicas = z.object({
  rse: z.string(),
  files: z.array(askedDid).check(z.minLength(1), z.maxLength(policy.lists.created)),
  ignore_availability: looseFlag('ignore_availability'),
});

/** Every PFN is looked up among them. */
const maxSchemes = 100;

const schemes = z
  .nullish(z.union([mapped(z.string(), (text) => text.split(',').filter(Boolean)), z.array(z.string())]))
  .check(
    z.refine((given) => (given?.length ?? 0) <= maxSchemes, { error: `there are more than ${maxSchemes} schemes` }),
  )
  .check(z.meta({ description: 'Allowed schemes; a text separates them by commas' }));

const isWholeNumber = (text: unknown) => /^[+-]?\d{1,15}$/.test(String(text));

/** An integer, or the text of one. */
export const wholeNumber = mapped(
  z
    .union([z.int(), z.string()])
    .check(z.refine(isWholeNumber, { error: ({ input }) => `'${toText(input)}' is no whole number` })),
  Number,
).check(z.meta({ type: 'integer' }));

/** The largest random selection of files. It is collected in memory before it is sent. */
export const maxRandomFiles = 10_000;

const degrees = z
  .nullish(z.union([z.number(), z.string().check(z.maxLength(50))]))
  .check(z.meta({ description: 'In degrees; with both, `sort=geoip` begins with the nearest RSE' }));

/** Body that asks for the replicas of DIDs (spec/replication.md 1.4). */
export const replicaQuery = z.object({
  dids: z._default(z.array(askedDid).check(z.maxLength(policy.lists.named)), []),
  schemes,
  rse_expression: z.nullish(rseExpression),
  all_states: looseFlag('all_states'),
  unavailable: z.optional(looseBoolean('unavailable')),
  ignore_availability: z.optional(looseBoolean('ignore_availability')),
  domain: z.nullish(z.string()),
  sort: z.nullish(z.string()),
  client_location: z.optional(z.looseObject({ site: z.nullish(rseExpression), latitude: degrees, longitude: degrees })),
  resolve_archives: z._default(looseBoolean('resolve_archives'), true),
  resolve_parents: looseFlag('resolve_parents'),
  nrandom: z.nullish(
    wholeNumber.check(z.refine((count) => count <= maxRandomFiles, `at most ${maxRandomFiles} files are chosen`)),
  ),
  updated_after: z
    .nullish(z.union([z.number(), z.string()]))
    .check(z.meta({ description: 'Seconds since 1970, or `YYYY-MM-DDThh:mm:ss`' })),
  signature_lifetime: z
    .nullish(wholeNumber)
    .check(z.meta({ description: 'Seconds that signed PFNs are valid; by default the option of the configuration' })),
});
export type ReplicaQuery = z.output<typeof replicaQuery>;

const pfn = z.object({
  rse_id: z.string(),
  rse: z.string(),
  type: z.enum(['DISK', 'TAPE']),
  volatile: z.boolean(),
  domain: z.enum(['lan', 'wan', 'zip']),
  priority: z.int(),
  client_extract: z.boolean(),
});
/** A PFN in a list of replicas. */
export type PfnEntry = z.input<typeof pfn>;

/** A line of a list of replicas: a file (spec/replication.md 1.4). */
export const replicaLine = z.object({
  scope: z.string(),
  name: z.string(),
  bytes: z.nullable(integer),
  md5: z.nullable(z.string()),
  adler32: z.nullable(z.string()),
  pfns: z.record(z.string(), pfn),
  rses: z.record(z.string(), z.array(z.string())),
  states: z.record(z.string(), z.string()),
  parents: z.optional(z.array(z.string())),
});
export type ReplicaLine = z.input<typeof replicaLine>;

/** A line of a list of dataset replicas: a dataset on an RSE (spec/replication.md 1.6). */
export const datasetReplicaLine = z.object({
  scope: z.string(),
  name: z.string(),
  rse: z.string(),
  rse_id: z.string(),
  bytes: integer,
  length: integer,
  available_bytes: integer,
  available_length: integer,
  state: z.enum(['AVAILABLE', 'UNAVAILABLE']),
  created_at: date,
  updated_at: date,
  accessed_at: z.nullable(date),
});
export type DatasetReplicaLine = z.input<typeof datasetReplicaLine>;

/** Body that asks for the dataset replicas of many DIDs (spec/replication.md 1.6). */
export const datasetReplicaQuery = z.object({
  dids: z.array(askedDid).check(
    z.maxLength(policy.lists.named),
    z.refine((dids) => dids.length > 0, { error: 'List of DIDs is empty', params: { exception: 'ValueError' } }),
  ),
});

/** Body that marks replicas for deletion (spec/replication.md 1.7). */
export const tombstones = z.object({
  replicas: z._default(
    z.array(z.object({ rse: z.string(), scope: z.string(), name: z.string() })).check(z.maxLength(1000)),
    [],
  ),
});
/** A replica, with its RSE by name. */
export type NamedReplica = z.output<typeof tombstones>['replicas'][number];

/** A line of the list of deletable replicas of an RSE. */
export const deletableReplicaLine = z.object({
  scope: z.string(),
  name: z.string(),
  rse: z.string(),
  rse_id: z.string(),
  bytes: z.nullable(integer),
  state: replicaStateName.check(
    z.meta({ description: '`BEING_DELETED`: whoever marked it has not deleted it within ten minutes' }),
  ),
  pfn: z.nullable(z.string()).check(z.meta({ description: 'null: the RSE has no protocol for deletion in the WAN' })),
  tombstone: date,
  since: date.check(z.meta({ description: 'Since when it may be deleted' })),
});
export type DeletableReplicaLine = z.input<typeof deletableReplicaLine>;

/** A line of the dump of an RSE: a replica. */
export const dumpedReplicaLine = z.object({
  scope: z.string(),
  name: z.string(),
  path: z
    .nullable(z.string())
    .check(z.meta({ description: 'Below the prefix, without a leading slash; null: unknown' })),
  bytes: z.nullable(integer),
  adler32: z.nullable(z.string()),
  md5: z.nullable(z.string()),
  state: replicaStateName,
  updated_at: date.check(z.meta({ description: 'When it was registered or last changed' })),
});
export type DumpedReplicaLine = z.input<typeof dumpedReplicaLine>;
