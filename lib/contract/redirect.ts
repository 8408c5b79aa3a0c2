import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import { repeated } from './schemas/common.ts';
import { replicaLine } from './schemas/replica.ts';

const html = 'text/html; charset=utf-8';
const metalink = 'application/metalink4+xml';

const link = z.object({
  Link: z.string().check(z.meta({ description: 'The metalink of the same file, `rel=describedby`' })),
});

const place = {
  schemes: repeated.check(z.meta({ description: 'Schemes that will do; may stand several times' })),
  ip: z.optional(z.string()),
  fqdn: z.optional(z.string()),
  site: z.optional(z.string()).check(z.meta({ description: 'Site of the caller' })),
  sort: z.optional(z.string()).check(z.meta({ description: '`geoip`, `custom_table` or `random`' })),
  select: z.optional(z.string()).check(z.meta({ description: 'As `sort`' })),
};

/** The routes of the group `replicas` that lead anybody to a file, without a token, and that take traces. */
export const redirect = {
  redirect: {
    method: 'GET',
    path: '/redirect/**:scope_name',
    summary: 'Lead to a PFN of a file that HTTP clients can read',
    permission: 'open',
    query: z.object({ ...place, rse: z.optional(z.string()).check(z.meta({ description: 'The RSE to read from' })) }),
    answer: {
      kind: 'text',
      mediaType: html,
      replies: {
        303: {
          description: 'The file is elsewhere; the body is empty.',
          headers: z.extend(link, { Location: z.string().check(z.meta({ description: 'Where it is' })) }),
        },
      },
    },
    errors: { ReplicaNotFound: 404, SortingAlgorithmNotSupported: 404 },
  },
  redirectToMetalink: {
    method: 'GET',
    path: '/redirect/**:scope_name/metalink',
    summary: 'Where a file is, or the files of a collection are, as a metalink',
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
    summary: 'Take what a client says of its accesses, and drop it',
    permission: 'open',
    answer: { kind: 'created' },
  },
} as const satisfies Routes;
