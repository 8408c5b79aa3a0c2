import * as z from 'zod';

import { date, integer, looseBoolean, looseFlag } from './common.ts';
import { didElement } from './did.ts';

/** States of a replica by Rucio's letters (spec/replication.md 1.9). */
export const replicaStates = {
  A: 'AVAILABLE',
  U: 'UNAVAILABLE',
  C: 'COPYING',
  B: 'BEING_DELETED',
  D: 'BAD',
  T: 'TEMPORARY_UNAVAILABLE',
} as const;
/** Letter of a state. */
export type ReplicaState = keyof typeof replicaStates;

const letters = Object.keys(replicaStates) as ReplicaState[];
const letterOf = new Map<string, ReplicaState>(letters.map((letter) => [replicaStates[letter], letter]));

/** A state by its letter or by its name, as a letter. */
const replicaState = z
  .enum([...letters, ...Object.values(replicaStates)])
  .transform((text) => letterOf.get(text) ?? (text as ReplicaState));

const newReplica = didElement.extend({ state: replicaState.optional() });
export type NewReplica = z.output<typeof newReplica>;

/** Body that registers replicas (spec/replication.md 1.2). */
export const newReplicas = z.object({
  rse: z.string(),
  files: z.array(newReplica).min(1).max(1000),
  ignore_availability: looseFlag('ignore_availability'),
});

const replicaChange = z.object({
  scope: z.string(),
  name: z.string(),
  state: replicaState,
  path: z.string().max(1024).optional().meta({ description: 'Where the replica lies now, below the prefix' }),
  error_message: z
    .string()
    .nullish()
    .meta({ description: 'Why it is unavailable: the error of the rules that want it' }),
});
export type ReplicaChange = z.output<typeof replicaChange>;

/** Body that changes the states of replicas (spec/replication.md 1.3); other keys are ignored. */
export const replicaChanges = z.object({ rse: z.string(), files: z.array(replicaChange).max(1000) });

const looseText = z.string().regex(/\w/);

/** A DID that is asked about: any name will do, but no other key than those of a DID. */
const askedDid = didElement.extend({ scope: looseText, name: looseText });

/** Body that deletes replicas (spec/replication.md 1.3). */
export const doomedReplicas = z.object({
  rse: z.string(),
  files: z.array(askedDid).min(1).max(1000),
  ignore_availability: looseFlag('ignore_availability'),
});

const schemes = z
  .union([z.string().transform((text) => text.split(',').filter(Boolean)), z.array(z.string())])
  .nullish()
  .meta({ description: 'Schemes that will do; a text holds them by commas' });

const isWholeNumber = (text: unknown) => /^[+-]?\d{1,15}$/.test(String(text));

/** A whole number, or the text of one. */
export const wholeNumber = z
  .union([z.int(), z.string()])
  .refine(isWholeNumber, { error: ({ input }) => `'${String(input)}' is no whole number` })
  .transform(Number)
  .meta({ type: 'integer' });

/** The files of the largest random choice: it is gathered before it is answered. */
export const mostRandom = 10_000;

/** Body that asks for the replicas of DIDs (spec/replication.md 1.4). */
export const replicaQuery = z.object({
  dids: z.array(askedDid).max(1000).default([]),
  schemes,
  rse_expression: z.string().nullish(),
  all_states: looseFlag('all_states'),
  unavailable: looseBoolean('unavailable').optional(),
  ignore_availability: looseBoolean('ignore_availability').optional(),
  domain: z.string().nullish(),
  sort: z.string().nullish(),
  client_location: z.looseObject({ site: z.string().nullish() }).optional(),
  resolve_archives: looseBoolean('resolve_archives').default(true),
  resolve_parents: looseFlag('resolve_parents'),
  nrandom: wholeNumber.refine((count) => count <= mostRandom, `at most ${mostRandom} files are chosen`).nullish(),
  updated_after: z
    .union([z.number(), z.string()])
    .nullish()
    .meta({ description: 'Seconds since 1970, or `YYYY-MM-DDThh:mm:ss`' }),
  signature_lifetime: z.unknown().optional(),
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
  bytes: integer.nullable(),
  md5: z.string().nullable(),
  adler32: z.string().nullable(),
  pfns: z.record(z.string(), pfn),
  rses: z.record(z.string(), z.array(z.string())),
  states: z.record(z.string(), z.string()),
  parents: z.array(z.string()).optional(),
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
  accessed_at: date.nullable(),
});
export type DatasetReplicaLine = z.input<typeof datasetReplicaLine>;

/** Body that asks for the dataset replicas of many DIDs (spec/replication.md 1.6). */
export const datasetReplicaQuery = z.object({
  dids: z
    .array(askedDid)
    .max(1000)
    .refine((dids) => dids.length > 0, { error: 'List of DIDs is empty', params: { exception: 'ValueError' } }),
});

/** Body that marks replicas for deletion (spec/replication.md 1.7). */
export const tombstones = z.object({
  replicas: z
    .array(z.object({ rse: z.string(), scope: z.string(), name: z.string() }))
    .max(1000)
    .default([]),
});
/** A replica by the name of its RSE. */
export type NamedReplica = z.output<typeof tombstones>['replicas'][number];
