import type { Routes } from './route.ts';
import {
  globalLimits,
  globalUsage,
  limit,
  limits,
  localUsage,
  newLimit,
  usageHistory,
} from './schemas/account-limit.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';
const body = { schema: newLimit, json: 'dictionary', name: 'account_limit' } as const;
const account = { AccountNotFound: 404 } as const;
const accountAndRse = { ...account, RSENotFound: 404 } as const;

const listLocal = {
  method: 'GET',
  summary: 'Limits of an account on single RSEs, in bytes',
  permission: 'any',
  accept: json,
  answer: { kind: 'json', schema: limits },
  errors: account,
} as const;

const getLocal = {
  ...listLocal,
  summary: 'Limit of an account on an RSE, in bytes',
  answer: { kind: 'json', schema: limit },
  errors: accountAndRse,
} as const;

const setLocal = {
  method: 'POST',
  summary: 'Set the limit of an account on an RSE, in bytes',
  permission: 'set_local_account_limit',
  body,
  answer: { kind: 'created' },
  errors: { ValueError: 400, AccessDenied: 401, ...accountAndRse },
} as const;

const deleteLocal = {
  method: 'DELETE',
  summary: 'Delete the limit of an account on an RSE',
  permission: 'delete_local_account_limit',
  answer: { kind: 'empty' },
  errors: { AccessDenied: 401, ...accountAndRse },
} as const;

const setGlobal = {
  ...setLocal,
  summary: 'Set the limit of an account on the RSEs of an expression together, in bytes',
  permission: 'set_global_account_limit',
  errors: { InvalidObject: 400, InvalidRSEExpression: 400, ValueError: 400, AccessDenied: 401, ...account },
} as const;

const deleteGlobal = {
  ...deleteLocal,
  summary: 'Delete the limit of an account on an expression',
  permission: 'delete_global_account_limit',
  errors: { AccessDenied: 401, ...account },
} as const;

const listUsage = {
  method: 'GET',
  summary: 'Usage of every RSE on which an account has usage or a limit',
  permission: 'get_local_account_usage',
  accept: stream,
  pages: true,
  answer: { kind: 'stream', schema: localUsage },
  errors: { AccessDenied: 401, ...account },
} as const;

const getUsage = {
  ...listUsage,
  summary: 'Usage of an RSE by an account; no line without usage and limit',
  errors: { AccessDenied: 401, ...accountAndRse },
} as const;

/** Limits and usage of accounts (spec/access.md 2.4), under every path that Rucio's clients have used. */
export const accountLimits = {
  listLocalLimits: { ...listLocal, path: '/accounts/:account/limits/local' },
  listLimits: { ...listLocal, path: '/accounts/:account/limits' },
  getLocalLimit: { ...getLocal, path: '/accounts/:account/limits/local/:rse' },
  getLimit: { ...getLocal, path: '/accounts/:account/limits/:rse' },
  setLocalLimit: { ...setLocal, path: '/accounts/:account/limits/local/:rse' },
  deleteLocalLimit: { ...deleteLocal, path: '/accounts/:account/limits/local/:rse' },
  listGlobalLimits: {
    ...listLocal,
    path: '/accounts/:account/limits/global',
    summary: 'Limits of an account on RSE expressions, in bytes, with the RSEs that match each now',
    answer: { kind: 'json', schema: globalLimits },
  },
  getGlobalLimit: {
    ...getLocal,
    path: '/accounts/:account/limits/global/:expression',
    summary: 'Limit of an account on an RSE expression, by its exact text, in bytes',
    errors: account,
  },
  setGlobalLimit: { ...setGlobal, path: '/accounts/:account/limits/global/:expression' },
  deleteGlobalLimit: { ...deleteGlobal, path: '/accounts/:account/limits/global/:expression' },

  listLocalUsage: { ...listUsage, path: '/accounts/:account/usage/local' },
  listUsage: { ...listUsage, path: '/accounts/:account/usage' },
  getLocalUsage: { ...getUsage, path: '/accounts/:account/usage/local/:rse' },
  getUsage: { ...getUsage, path: '/accounts/:account/usage/:rse' },
  listGlobalUsage: {
    ...listUsage,
    path: '/accounts/:account/usage/global',
    summary: 'Usage by an account of the RSEs of each expression on which it has a limit',
    permission: 'get_global_account_usage',
    answer: { kind: 'stream', schema: globalUsage },
  },
  getGlobalUsage: {
    ...listUsage,
    path: '/accounts/:account/usage/global/:expression',
    summary: 'Usage by an account of the RSEs of an expression',
    permission: 'get_global_account_usage',
    answer: { kind: 'stream', schema: globalUsage },
    errors: { InvalidObject: 400, InvalidRSEExpression: 400, AccessDenied: 401, ...account },
  },
  getUsageHistory: {
    method: 'GET',
    path: '/accounts/:account/usage/history/:rse',
    summary: 'Past usage of an RSE by an account; empty for an unknown account',
    permission: 'any',
    accept: json,
    pages: true,
    answer: { kind: 'json', compact: true, schema: usageHistory },
    errors: { RSENotFound: 404 },
  },

  // Clients before version 38 call these.
  setLegacyLocalLimit: { ...setLocal, path: '/accountlimits/local/:account/:rse' },
  deleteLegacyLocalLimit: { ...deleteLocal, path: '/accountlimits/local/:account/:rse' },
  setLegacyLimit: { ...setLocal, path: '/accountlimits/:account/:rse' },
  deleteLegacyLimit: { ...deleteLocal, path: '/accountlimits/:account/:rse' },
  setLegacyGlobalLimit: { ...setGlobal, path: '/accountlimits/global/:account/:expression' },
  deleteLegacyGlobalLimit: { ...deleteGlobal, path: '/accountlimits/global/:account/:expression' },
} as const satisfies Routes;
