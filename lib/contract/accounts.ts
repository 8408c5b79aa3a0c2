import * as z from 'zod/mini';

import { accountLimits } from './account-limits.ts';
import { group } from './route.ts';
import {
  account,
  accountChange,
  accountFilters,
  accountLine,
  attribute,
  newAccount,
  newAttribute,
} from './schemas/account.ts';
import { identityLine, namedIdentity, newIdentity } from './schemas/identity.ts';
import { ownRights, rightsQuery } from './schemas/rights.ts';
import { rule } from './schemas/rule.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';

/** Accounts, their attributes, scopes, identities, limits and usage (spec/access.md 2). */
export const accounts = group('accounts', ['/accounts', '/accountlimits'], {
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    summary: 'Active accounts that pass the filters, in name order',
    permission: 'any',
    accept: stream,
    query: accountFilters,
    pages: true,
    answer: { kind: 'stream', schema: accountLine },
    errors: { ValueError: 400 },
  },
  whoAmI: {
    method: 'GET',
    path: '/accounts/whoami',
    summary: "Redirects to the caller's account",
    permission: 'any',
    answer: { kind: 'redirect' },
  },
  listOwnRights: {
    method: 'GET',
    path: '/accounts/whoami/rights',
    summary: 'What the caller may do with a scope, an account and an RSE, and who else may',
    isExtension: true,
    permission: 'any',
    accept: json,
    query: rightsQuery,
    answer: { kind: 'json', schema: ownRights },
    errors: { RSENotFound: 404 },
  },
  getAccount: {
    method: 'GET',
    path: '/accounts/:account',
    summary: 'An account, in any status',
    permission: 'any',
    accept: json,
    answer: { kind: 'json', schema: account },
    errors: { AccountNotFound: 404 },
  },
  addAccount: {
    method: 'POST',
    path: '/accounts/:account',
    summary: 'Create an account',
    permission: 'add_account',
    body: { schema: newAccount, json: 'dictionary', name: 'account' },
    answer: { kind: 'created' },
    errors: {
      InvalidObject: 400,
      InvalidAccountType: 400,
      UnsupportedAccountName: 400,
      AccessDenied: 401,
      Duplicate: 409,
    },
  },
  updateAccount: {
    method: 'PUT',
    path: '/accounts/:account',
    summary: 'Suspend or reactivate an account, or change its e-mail address or type',
    permission: 'update_account',
    body: { schema: accountChange, json: 'dictionary', name: 'account' },
    answer: { kind: 'empty' },
    errors: { InvalidObject: 400, InvalidAccountType: 400, ValueError: 400, AccessDenied: 401, AccountNotFound: 404 },
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/accounts/:account',
    summary: 'Set the status of an account to DELETED; its name cannot be used again',
    permission: 'del_account',
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, AccountNotFound: 404 },
  },

  listAttributes: {
    method: 'GET',
    path: '/accounts/:account/attr',
    summary: 'Attributes of an account',
    permission: 'any',
    accept: json,
    pages: true,
    answer: { kind: 'json', compact: true, schema: z.array(attribute) },
    errors: { AccountNotFound: 404 },
  },
  addAttribute: {
    method: 'POST',
    path: '/accounts/:account/attr/:key',
    summary: 'Add an attribute to an account',
    permission: 'add_attribute',
    body: { schema: newAttribute, json: 'dictionary', name: 'account_attribute' },
    answer: { kind: 'created' },
    errors: { InvalidObject: 400, AccessDenied: 401, AccountNotFound: 404, Duplicate: 409 },
  },
  deleteAttribute: {
    method: 'DELETE',
    path: '/accounts/:account/attr/:key',
    summary: 'Delete an attribute of an account',
    permission: 'del_attribute',
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, AccountNotFound: 404 },
  },

  listAccountScopes: {
    method: 'GET',
    path: '/accounts/:account/scopes',
    summary: 'Scopes of an account',
    permission: 'any',
    accept: json,
    pages: true,
    answer: { kind: 'json', compact: true, schema: z.array(z.string()) },
    errors: { AccountNotFound: 404, ScopeNotFound: 404 },
  },
  addAccountScope: {
    method: 'POST',
    path: '/accounts/:account/scopes/:scope',
    summary: 'Create a scope',
    permission: 'add_scope',
    answer: { kind: 'created' },
    errors: { InvalidObject: 400, AccessDenied: 401, AccountNotFound: 404, Duplicate: 409 },
  },

  listIdentities: {
    method: 'GET',
    path: '/accounts/:account/identities',
    summary: 'Identities that may act for an account',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: identityLine },
    errors: { AccountNotFound: 404 },
  },
  addAccountIdentity: {
    method: 'POST',
    path: '/accounts/:account/identities',
    summary: 'Let an identity act for an account',
    permission: 'add_account_identity',
    body: { schema: newIdentity, json: 'dictionary', name: 'identity' },
    answer: { kind: 'created' },
    errors: {
      IdentityError: 400,
      InvalidObject: 400,
      ValueError: 400,
      AccessDenied: 401,
      AccountNotFound: 404,
      Duplicate: 409,
    },
    otherErrors: [['CannotAuthenticate', 429]],
  },
  deleteAccountIdentity: {
    method: 'DELETE',
    path: '/accounts/:account/identities',
    summary: 'Remove an identity from an account, and delete it with the last one',
    permission: 'del_account_identity',
    body: { schema: namedIdentity, json: 'dictionary', name: 'identity' },
    answer: { kind: 'empty' },
    errors: { InvalidObject: 400, ValueError: 400, AccessDenied: 401, IdentityError: 404 },
  },

  listRulesOfAccount: {
    method: 'GET',
    path: '/accounts/:account/rules',
    summary: 'Rules of an account in order of creation; empty for an unknown account',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: rule },
  },

  ...accountLimits,
});
