import * as z from 'zod/mini';

import { badReplicas } from './bad-replicas.ts';
import { redirect } from './redirect.ts';
import { group } from './route.ts';
import { looseFlag } from './schemas/common.ts';
import {
  datasetReplicaLine,
  datasetReplicaQuery,
  doomedReplicas,
  newReplicas,
  replicaChanges,
  replicaLine,
  replicaQuery,
  tombstones,
  wholeNumber,
} from './schemas/replica.ts';

const stream = 'application/x-json-stream';
const streamOrMetalink = [stream, 'application/metalink4+xml'] as const;

const pfnsOfAFile = z.optional(wholeNumber).check(z.meta({ description: 'PFNs of a file, the best ones' }));
const algorithm = z.optional(z.string()).check(z.meta({ description: '`geoip`, `custom_table` or `random`' }));

/** Replicas of files, and what is known of them (spec/replication.md 1). */
export const replicas = group('replicas', ['/replicas', '/redirect', '/traces'], {
  addReplicas: {
    method: 'POST',
    path: '/replicas',
    summary: 'Register replicas on an RSE, and the files that are new; replicas that there are stay as they are',
    permission: 'add_replicas',
    body: { schema: newReplicas, json: 'dictionary', name: 'dids' },
    answer: { kind: 'created' },
    errors: {
      InvalidMetadata: 400,
      InvalidPath: 400,
      InvalidValueForKey: 400,
      RSEFileNameNotSupported: 400,
      AccessDenied: 401,
      RSENotFound: 404,
      RSEProtocolNotSupported: 404,
      ScopeNotFound: 404,
      DataIdentifierAlreadyExists: 409,
      UnsupportedOperation: 409,
      ResourceTemporaryUnavailable: 503,
    },
  },
  updateReplicas: {
    method: 'PUT',
    path: '/replicas',
    summary: 'Change the states of replicas on an RSE, all or none',
    permission: 'update_replicas_states',
    body: { schema: replicaChanges, json: 'dictionary', name: 'dids' },
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, RSENotFound: 404, ReplicaNotFound: 404, ReplicaIsLocked: 423 },
  },
  deleteReplicas: {
    method: 'DELETE',
    path: '/replicas',
    summary: 'Delete replicas from an RSE, and the files that have no other one',
    permission: 'delete_replicas',
    body: { schema: doomedReplicas, json: 'dictionary', name: 'r_dids' },
    answer: { kind: 'empty' },
    errors: {
      AccessDenied: 401,
      RSENotFound: 404,
      ReplicaNotFound: 404,
      ReplicaIsLocked: 423,
      ResourceTemporaryUnavailable: 503,
    },
  },
  listReplicas: {
    method: 'POST',
    path: '/replicas/list',
    summary: 'Replicas of files, also of the files in collections, by scope and name; as lines of JSON or as metalink',
    permission: 'any',
    reads: true,
    accept: streamOrMetalink,
    query: z.object({ limit: pfnsOfAFile, sort: algorithm, select: algorithm }),
    body: { schema: replicaQuery, json: 'dictionary', name: 'r_dids' },
    answer: { kind: 'stream', schema: replicaLine, metalink: { community: 'generic', detailed: true } },
    errors: { InvalidRSEExpression: 400, SortingAlgorithmNotSupported: 400 },
  },
  getReplicas: {
    method: 'GET',
    path: '/replicas/**:scope_name',
    summary: 'Replicas of a file, or of the files in a collection, wherever they are; as lines of JSON or as metalink',
    permission: 'any',
    accept: streamOrMetalink,
    query: z.object({
      schemes: z.optional(z.string()).check(z.meta({ description: 'Schemes that will do, by commas' })),
      select: algorithm,
      limit: pfnsOfAFile,
    }),
    answer: { kind: 'stream', schema: replicaLine, metalink: { community: 'atlas', detailed: false } },
    errors: { SortingAlgorithmNotSupported: 404 },
  },
  listDatasetReplicas: {
    method: 'GET',
    path: '/replicas/**:scope_name/datasets',
    summary: 'How much of a dataset is on each RSE that has a file of it or that a rule keeps it on, counted now',
    permission: 'any',
    accept: stream,
    query: z.object({ deep: looseFlag('deep').check(z.meta({ description: 'Counts what lies in archives as well' })) }),
    answer: { kind: 'stream', schema: datasetReplicaLine },
  },
  listDatasetReplicasBulk: {
    method: 'POST',
    path: '/replicas/datasets_bulk',
    summary: 'How much of each of many datasets is on each RSE',
    permission: 'any',
    reads: true,
    accept: stream,
    body: { schema: datasetReplicaQuery, json: 'dictionary', name: 'DIDs' },
    answer: { kind: 'stream', schema: datasetReplicaLine },
  },
  listDatasetReplicasVp: {
    method: 'GET',
    path: '/replicas/**:scope_name/datasets_vp',
    summary: 'Sites that a virtual placement service has chosen for a dataset: none, since there is no such service',
    permission: 'any',
    accept: stream,
    query: z.object({ deep: looseFlag('deep') }),
    answer: { kind: 'stream', schema: z.object({ vp: z.boolean(), site: z.string() }) },
  },
  listDatasetsPerRse: {
    method: 'GET',
    path: '/replicas/rse/:rse',
    summary:
      'The datasets of which an RSE has at least one file or that a rule keeps there, and how much of each it has',
    permission: 'any',
    accept: stream,
    answer: { kind: 'stream', schema: datasetReplicaLine },
    errors: { RSENotFound: 404 },
  },
  setTombstone: {
    method: 'POST',
    path: '/replicas/tombstone',
    summary: 'Mark replicas as free to be deleted at once, all or none',
    permission: 'set_tombstone',
    body: { schema: tombstones, json: 'dictionary', name: 'replicas' },
    answer: { kind: 'created' },
    errors: { AccessDenied: 401, RSENotFound: 404, ReplicaNotFound: 404, ReplicaIsLocked: 423 },
  },
  ...badReplicas,
  ...redirect,
});
