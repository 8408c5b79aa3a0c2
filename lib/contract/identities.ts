import * as z from 'zod/mini';

import { group } from './route.ts';
import { identityQuery } from './schemas/identity.ts';

const json = 'application/json';
const accountNames = { kind: 'json', compact: true, schema: z.array(z.string()) } as const;

/** Identities (spec/access.md 2.5). */
export const identities = group('identities', ['/identities'], {
  addUserPass: {
    method: 'PUT',
    path: '/identities/:account/userpass',
    summary:
      'Create a username with a password, given in headers, for an account, or set the password of one that it has',
    permission: 'add_account_identity',
    headers: z.object({
      'X-Rucio-Username': z.string().check(z.meta({ description: 'Username; unused, or one of the account' })),
      'X-Rucio-Password': z.string().check(z.meta({ description: 'Password' })),
      'X-Rucio-Email': z.optional(z.string()).check(z.meta({ description: 'E-mail address; of a new username' })),
      'X-Rucio-Current-Password': z
        .optional(z.string())
        .check(z.meta({ description: 'Present password; of those who set their own' })),
    }),
    answer: { kind: 'created' },
    errors: {
      ValueError: 400,
      InvalidObject: 400,
      AccessDenied: 401,
      CannotAuthenticate: 401,
      AccountNotFound: 404,
      Duplicate: 409,
    },
    otherErrors: [['CannotAuthenticate', 429]],
  },
  addX509: {
    method: 'PUT',
    path: '/identities/:account/x509',
    summary: "Let the client certificate of the gateway's mutual TLS act for an account",
    permission: 'add_account_identity',
    headers: z.object({ 'X-Rucio-Email': z.string().check(z.meta({ description: 'E-mail address' })) }),
    answer: { kind: 'created' },
    errors: { ValueError: 400, InvalidObject: 400, AccessDenied: 401, AccountNotFound: 404, Duplicate: 409 },
  },
  addGss: {
    method: 'PUT',
    path: '/identities/:account/gss',
    summary: 'Always refused: API Gateway does not support Kerberos',
    permission: 'any',
    answer: { kind: 'created' },
    errors: { ValueError: 400 },
  },
  listAccountsOfIdentity: {
    method: 'GET',
    path: '/identities/accounts',
    summary: 'Accounts that an identity may act for',
    permission: 'any',
    accept: json,
    query: identityQuery,
    pages: true,
    answer: accountNames,
    errors: { ValueError: 400 },
  },
  listAccountsOfIdentityByPath: {
    method: 'GET',
    path: '/identities/:identity/:type/accounts',
    summary: 'Accounts that an identity may act for',
    permission: 'any',
    accept: json,
    pages: true,
    answer: accountNames,
    errors: { ValueError: 400 },
  },
});
