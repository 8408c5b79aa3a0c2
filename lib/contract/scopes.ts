import * as z from 'zod/mini';

import { group } from './route.ts';

const json = 'application/json';

/** Scopes (spec/interface.md 4.3, spec/dids.md 2.28). */
export const scopes = group('scopes', ['/scopes'], {
  addScope: {
    method: 'POST',
    path: '/scopes/:account/:scope',
    summary: 'Create a scope; `Location` is its URL',
    permission: 'add_scope',
    answer: { kind: 'created' },
    errors: { InvalidObject: 400, AccessDenied: 401, AccountNotFound: 404, Duplicate: 409 },
  },
  listScopes: {
    method: 'GET',
    path: '/scopes',
    summary: 'Every scope',
    permission: 'any',
    accept: json,
    pages: true,
    answer: { kind: 'json', compact: true, schema: z.array(z.string()) },
  },
  listScopeOwners: {
    method: 'GET',
    path: '/scopes/owner',
    summary: 'Every scope with its account',
    permission: 'any',
    pages: true,
    answer: { kind: 'json', compact: true, schema: z.array(z.object({ account: z.string(), scope: z.string() })) },
  },
  listScopesOfAccount: {
    method: 'GET',
    path: '/scopes/:account/scopes',
    summary: 'Scopes of an account',
    permission: 'any',
    accept: json,
    pages: true,
    answer: { kind: 'json', compact: true, schema: z.array(z.string()) },
    errors: { AccountNotFound: 404, ScopeNotFound: 404 },
  },
  updateScope: {
    method: 'PUT',
    path: '/scopes/:account/:scope',
    summary: 'Give a scope to another account',
    permission: 'update_scope',
    answer: { kind: 'created-empty' },
    errors: { AccessDenied: 401, AccountNotFound: 404, ScopeNotFound: 404 },
  },
});
