import type { Route } from './route.ts';
import { rule } from './schemas/rule.ts';

const listing = {
  method: 'GET',
  permission: 'any',
  accept: 'application/x-json-stream',
  pages: true,
  answer: { kind: 'stream', schema: rule },
  errors: { DataIdentifierNotFound: 404 },
} as const satisfies Omit<Route, 'path' | 'summary'>;

/** Rules of DIDs (spec/dids.md 2.13, 2.14). */
export const didRules = {
  listRules: { ...listing, path: '/dids/**:scope_name/rules', summary: 'Rules that were placed on a DID itself' },
  listAssociatedRules: {
    ...listing,
    path: '/dids/**:scope_name/associated_rules',
    summary: 'Rules that hold a lock on a replica of a file',
  },
} as const;
