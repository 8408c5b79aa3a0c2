import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import { repeated, rseExpression } from './schemas/common.ts';
import { replicaLine } from './schemas/replica.ts';

const html = 'text/html; charset=utf-8';
const metalink = 'application/metalink4+xml';

const link = z.object({
  Link: z.string().check(z.meta({ description: 'The metalink of the same file, `rel=describedby`' })),
});

const place = {
  schemes: repeated.check(z.meta({ description: 'Allowed schemes; repeatable' })),
  ip: z.optional(z.string()),
  fqdn: z.optional(z.string()),
  site: z.optional(rseExpression).check(z.meta({ description: 'Site of the caller' })),
  sort: z.optional(z.string()).check(z.meta({ description: '`geoip`, `custom_table` or `random`' })),
  select: z.optional(z.string()).check(z.meta({ description: 'Same as `sort`' })),
};

/** The routes of the group `replicas` that need no token: redirects to a file, and traces. */
export const redirect = {
  redirect: {
    method: 'GET',
    path: '/redirect/**:scope_name/',
    summary: 'Redirect to a PFN of a file that HTTP clients can read',
    permission: 'open',
    query: z.object({ ...place, rse: z.optional(z.string()).check(z.meta({ description: 'RSE to read from' })) }),
    answer: {
      kind: 'text',
      mediaType: html,
      replies: {
        303: {
          description: 'The file is elsewhere; the body is empty.',
          headers: z.extend(link, { Location: z.string().check(z.meta({ description: 'The PFN' })) }),
        },
      },
    },
    errors: { ReplicaNotFound: 404, SortingAlgorithmNotSupported: 404 },
  },
  redirectToMetalink: {
    method: 'GET',
    path: '/redirect/**:scope_name/metalink',
    summary: 'Replicas of a file, or of the files of a collection, as a metalink',
    permission: 'open',
    token: 'optional',
    accept: metalink,
    query: z.object(place),
    answer: { kind: 'stream', schema: replicaLine, metalink: { community: 'atlas', detailed: false } },
    errors: { AccessDenied: 401, ReplicaNotFound: 404, SortingAlgorithmNotSupported: 404 },
  },
  addTraces: {
    method: 'POST',
    path: '/traces',
    summary: 'Accept traces of accesses, and note when replicas and DIDs were used, at most once an hour each',
    permission: 'open',
    body: { schema: z.unknown(), json: 'value', name: 'trace' },
    answer: {
      kind: 'text',
      mediaType: 'application/octet-stream',
      replies: { 201: { description: 'The text `Created`' } },
    },
  },
} as const satisfies Routes;
