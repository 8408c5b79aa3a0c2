import * as z from 'zod/mini';

import type { Route } from './route.ts';
import { integer, looseFlag } from './schemas/common.ts';
import { didType } from './schemas/did.ts';
import { searchLimit } from './schemas/paging.ts';

/** A row of a search with `long` (spec/dids.md 3.5). */
const longRow = z.object({
  scope: z.string(),
  name: z.string(),
  did_type: didType,
  bytes: z.nullable(integer),
  length: z.nullable(integer),
});

/** How a search was carried out, for `explain`; an extension of Dapple. */
const explanation = z.object({
  plan: z.array(
    z.object({
      source: z.enum(['nothing', 'did', 'collections', 'index', 'scope']),
      name: z.optional(z.string()),
      keys: z.optional(z.array(z.string())),
      by: z.optional(z.record(z.string(), z.enum(['equality', 'range', 'prefix', 'presence']))),
      order: z.optional(z.enum(['name', 'value'])),
      filtered: z.optional(z.record(z.string(), z.string())),
      prefix: z.optional(z.string()),
    }),
  ),
  rows: z.int(),
  read: z.object({ rru: z.number(), requests: z.int(), roundTrips: z.int() }),
});

const typeDescription =
  '`container`, `dataset`, `file`, `all`, or `collection` (default), with which free metadata finds files too';

const search = {
  method: 'GET',
  permission: 'any',
  accept: 'application/x-json-stream',
  // Every key that is not an option is a condition.
  query: z
    .catchall(
      z.object({
        type: z.optional(z.string()).check(z.meta({ description: typeDescription })),
        long: looseFlag('long'),
        recursive: looseFlag('recursive'),
        explain: looseFlag('explain'),
      }),
      z.string(),
    )
    .check(
      z.refine(({ recursive, cursor }) => !recursive || cursor === undefined, {
        error: 'a recursive search takes no cursor, since to show each DID once it remembers all that it has shown',
      }),
    ),
  pages: { limit: searchLimit },
  answer: { kind: 'stream', schema: z.union([z.string(), longRow, explanation]) },
  errors: { ValueError: 400, DIDFilterSyntaxError: 400, KeyNotFound: 404, UnsupportedOperation: 409 },
} as const satisfies Omit<Route, 'path' | 'summary'>;

/** Search (spec/interface.md 4.2, spec/dids.md 3). */
export const didSearch = {
  searchDids: { ...search, path: '/dids/:scope/dids/search', summary: 'DIDs of a scope that match a filter' },
  searchDidsExtended: {
    ...search,
    path: '/dids/:scope/dids/search_extended',
    summary: 'As searchDids; columns and free metadata may be mixed in both',
  },
} as const;
