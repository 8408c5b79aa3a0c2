import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import {
  pfnQuery,
  badDids,
  badPfns,
  badReplicaList as declaration,
  badStateLine,
  badSummaryLine,
  notDeclared,
  quarantine,
  suspiciousReplica,
  suspiciousReplicas,
} from './schemas/bad-replica.ts';
import { mapped, rseExpression } from './schemas/common.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';

/** 201 with a JSON document. */
const createdJson = (schema: z.ZodMiniType, description: string) =>
  ({ kind: 'text', mediaType: json, replies: { 201: { description, content: { [json]: schema } } } }) as const;

const expression = z.optional(rseExpression).check(z.meta({ description: 'RSE expression' }));
const time = (form: string) => z.optional(z.string()).check(z.meta({ description: `\`${form}\`` }));

/** The routes of the group `replicas` that are about bad, suspicious and unknown replicas (spec/replication.md 1.8). */
export const badReplicas = {
  declareBadReplicas: {
    method: 'POST',
    path: '/replicas/bad',
    summary: 'Declare replicas bad, by PFN or by file and RSE',
    permission: 'declare_bad_file_replicas',
    accept: json,
    body: { schema: declaration, json: 'dictionary', name: 'replicas' },
    answer: createdJson(notDeclared, 'What was declared before, or is unknown, by the name of the RSE'),
    errors: { InvalidType: 400, AccessDenied: 401, ReplicaNotFound: 404, RSENotFound: 404 },
  },
  declareBadDids: {
    method: 'POST',
    path: '/replicas/bad/dids',
    summary: 'Declare the replicas of files on one RSE bad',
    permission: 'add_bad_pfns',
    body: { schema: badDids, json: 'dictionary', name: 'dids' },
    answer: createdJson(z.array(z.string()), 'What was declared before, or is unknown'),
    errors: { AccessDenied: 401, RSENotFound: 404 },
  },
  addBadPfns: {
    method: 'POST',
    path: '/replicas/bad/pfns',
    summary: 'Declare PFNs bad, suspicious, or unavailable for a time; PFNs without a replica are ignored',
    permission: 'add_bad_pfns',
    body: { schema: badPfns, json: 'dictionary', name: 'pfns' },
    answer: { kind: 'created' },
    errors: { InputValidationError: 400, AccessDenied: 401 },
  },
  listBadStates: {
    method: 'GET',
    path: '/replicas/bad/states',
    summary: 'The log of bad, suspicious and unavailable replicas, oldest first',
    permission: 'any',
    accept: stream,
    query: z.object({
      state: z.optional(z.string()).check(z.meta({ description: 'Letter of a state: B, S, T, D, L or R' })),
      rse: z.optional(z.string()),
      younger_than: time('YYYY-MM-DDThh:mm:ss.ffffff'),
      older_than: time('YYYY-MM-DDThh:mm:ss.ffffff'),
      list_pfns: mapped(z.optional(z.string()), (text) => text !== undefined && text !== '').check(
        z.meta({ description: 'With any value: PFNs instead of replicas' }),
      ),
    }),
    pages: true,
    answer: { kind: 'stream', schema: badStateLine },
    errors: { ValueError: 400, RSENotFound: 404 },
  },
  summariseBadReplicas: {
    method: 'GET',
    path: '/replicas/bad/summary',
    summary: 'Number of declared replicas, by day, RSE and reason',
    permission: 'any',
    accept: stream,
    query: z.object({ rse_expression: expression, from_date: time('YYYY-MM-DD'), to_date: time('YYYY-MM-DD') }),
    answer: { kind: 'stream', schema: badSummaryLine },
    errors: { ValueError: 400, InvalidRSEExpression: 400 },
  },
  declareSuspiciousReplicas: {
    method: 'POST',
    path: '/replicas/suspicious',
    summary: 'Declare replicas suspicious; their states do not change',
    permission: 'any',
    accept: json,
    body: { schema: suspiciousReplicas, json: 'dictionary', name: 'pfns' },
    answer: createdJson(notDeclared, 'What is unknown, by the name of the RSE'),
    errors: { InvalidType: 400, ReplicaNotFound: 404, RSENotFound: 404 },
  },
  listSuspiciousReplicas: {
    method: 'GET',
    path: '/replicas/suspicious',
    summary: 'Replicas that were declared suspicious more than `nattempts` times, and not bad',
    permission: 'any',
    accept: json,
    query: z.object({
      rse_expression: expression,
      younger_than: time('YYYY-MM-DDThh:mm:ss'),
      nattempts: z.optional(z.string()).check(z.meta({ description: 'An integer; absent: 0' })),
    }),
    answer: { kind: 'json', schema: z.array(suspiciousReplica) },
    errors: { ValueError: 400, InvalidRSEExpression: 400 },
  },
  quarantineReplicas: {
    method: 'POST',
    path: '/replicas/quarantine',
    summary: 'Quarantine files of an RSE that the catalogue does not know',
    permission: 'quarantine_file_replicas',
    body: { schema: quarantine, json: 'dictionary', name: 'replicas' },
    answer: { kind: 'empty' },
    errors: { InputValidationError: 400, InvalidPath: 400, AccessDenied: 403, RSENotFound: 404 },
  },
  listDidsOfPfns: {
    method: 'POST',
    path: '/replicas/dids',
    summary: 'The files of PFNs on an RSE; on a deterministic RSE also files that do not exist',
    permission: 'any',
    reads: true,
    accept: stream,
    body: { schema: pfnQuery, json: 'dictionary', name: 'pfns' },
    answer: {
      kind: 'stream',
      schema: z.record(z.string(), z.object({ scope: z.string(), name: z.string() })),
    },
    errors: { InvalidPath: 400, RSEFileNameNotSupported: 400, RSENotFound: 404, RSEProtocolNotSupported: 404 },
  },
} as const satisfies Routes;
