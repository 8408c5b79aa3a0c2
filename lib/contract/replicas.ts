import * as z from 'zod/mini';

import { badReplicas } from './bad-replicas.ts';
import { redirect } from './redirect.ts';
import { group } from './route.ts';
import { looseFlag } from './schemas/common.ts';
import {
  datasetReplicaLine,
  datasetReplicaQuery,
  deletableReplicaLine,
  deletedReplicas,
  dumpedReplicaLine,
  newReplicas,
  replicaChanges,
  replicaLine,
  replicaQuery,
  tombstones,
  wholeNumber,
} from './schemas/replica.ts';

const stream = 'application/x-json-stream';
const streamOrMetalink = [stream, 'application/metalink4+xml'] as const;

const pfnsOfAFile = z
  .optional(wholeNumber)
  .check(z.meta({ description: 'Maximum number of PFNs of a file, the best first' }));
const algorithm = z.optional(z.string()).check(z.meta({ description: '`geoip`, `custom_table` or `random`' }));

/** Replicas of files (spec/replication.md 1). */
export const replicas = group('replicas', ['/replicas', '/redirect', '/traces'], {
  addReplicas: {
    method: 'POST',
    path: '/replicas',
    summary: 'Register replicas on an RSE, and files that are new; existing replicas do not change',
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
      InsufficientAccountLimit: 409,
      RSEOverQuota: 409,
      UnsupportedOperation: 409,
      FileConsistencyMismatch: 412,
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
    errors: {
      InvalidPath: 400,
      AccessDenied: 401,
      RSENotFound: 404,
      ReplicaNotFound: 404,
      UnsupportedOperation: 409,
      ReplicaIsLocked: 423,
      ResourceTemporaryUnavailable: 503,
    },
  },
  deleteReplicas: {
    method: 'DELETE',
    path: '/replicas',
    summary: 'Delete replicas from an RSE, and files without another replica',
    permission: 'delete_replicas',
    body: { schema: deletedReplicas, json: 'dictionary', name: 'r_dids' },
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
    summary: 'Replicas of files and of the files of collections, by scope and name; as lines of JSON or as metalink',
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
    path: '/replicas/**:scope_name/',
    summary: 'Replicas of a file, or of the files of a collection, on all RSEs; as lines of JSON or as metalink',
    permission: 'any',
    accept: streamOrMetalink,
    query: z.object({
      schemes: z.optional(z.string()).check(z.meta({ description: 'Allowed schemes, separated by commas' })),
      select: algorithm,
      limit: pfnsOfAFile,
    }),
    answer: { kind: 'stream', schema: replicaLine, metalink: { community: 'atlas', detailed: false } },
    errors: { SortingAlgorithmNotSupported: 404 },
  },
  listDatasetReplicas: {
    method: 'GET',
    path: '/replicas/**:scope_name/datasets',
    summary:
      'Replicas of a dataset: files and bytes on each RSE with a lock on it, or with `deep` with one of its files',
    permission: 'any',
    accept: stream,
    query: z.object({
      deep: looseFlag('deep').check(z.meta({ description: 'All RSEs with files; also counts files in archives' })),
    }),
    answer: { kind: 'stream', schema: datasetReplicaLine },
    errors: { DataIdentifierNotFound: 404 },
  },
  listDatasetReplicasBulk: {
    method: 'POST',
    path: '/replicas/datasets_bulk',
    summary: 'Replicas of many datasets: files and bytes on each RSE',
    permission: 'any',
    reads: true,
    accept: stream,
    body: { schema: datasetReplicaQuery, json: 'dictionary', name: 'DIDs' },
    answer: { kind: 'stream', schema: datasetReplicaLine },
  },
  listDatasetReplicasVp: {
    method: 'GET',
    path: '/replicas/**:scope_name/datasets_vp',
    summary: 'Sites that a virtual placement service chose for a dataset: empty, there is no such service',
    permission: 'any',
    accept: stream,
    query: z.object({ deep: looseFlag('deep') }),
    answer: { kind: 'stream', schema: z.object({ vp: z.boolean(), site: z.string() }) },
  },
  listDatasetsPerRse: {
    method: 'GET',
    path: '/replicas/rse/:rse',
    summary: 'The datasets that a rule keeps on an RSE, and how much of each the RSE has',
    permission: 'any',
    accept: stream,
    answer: { kind: 'stream', schema: datasetReplicaLine },
    errors: { RSENotFound: 404 },
  },
  setTombstone: {
    method: 'POST',
    path: '/replicas/tombstone',
    summary: 'Set the tombstones of replicas, so that they can be deleted at once, all or none',
    permission: 'set_tombstone',
    body: { schema: tombstones, json: 'dictionary', name: 'replicas' },
    answer: { kind: 'created' },
    errors: { AccessDenied: 401, RSENotFound: 404, ReplicaNotFound: 404, ReplicaIsLocked: 423 },
  },
  dumpReplicas: {
    method: 'GET',
    path: '/replicas/dump',
    isExtension: true,
    summary: 'All replicas on an RSE with their paths, sizes and checksums, by scope and name',
    permission: 'dump_replicas',
    accept: stream,
    query: z.object({ rse: z.string() }),
    pages: true,
    answer: { kind: 'stream', schema: dumpedReplicaLine },
    errors: { InvalidObject: 400, AccessDenied: 401, RSENotFound: 404 },
  },
  listDeletableReplicas: {
    method: 'GET',
    path: '/replicas/deletable',
    isExtension: true,
    summary: 'The replicas that may be deleted from an RSE now, in the order in which they go',
    permission: 'any',
    accept: stream,
    query: z.object({ rse: z.string() }),
    pages: true,
    answer: { kind: 'stream', schema: deletableReplicaLine },
    errors: { InvalidObject: 400, RSENotFound: 404 },
  },
  ...badReplicas,
  ...redirect,
});
