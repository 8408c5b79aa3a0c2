import type { Routes } from './route.ts';
import {
  accountUsageLine,
  historyFilters,
  newRseUsage,
  pastUsageLine,
  usageFilters,
  usageLine,
} from './schemas/rse-usage.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';

/** Usage of RSEs (spec/rses.md 1.24 to 1.27, 7); all also accept disabled RSEs. */
export const rseUsage = {
  listRseUsages: {
    method: 'GET',
    path: '/rses/:rse/usage',
    summary: 'Usage of an RSE, by source',
    permission: 'any',
    accept: stream,
    query: usageFilters,
    pages: true,
    answer: { kind: 'stream', schema: usageLine },
    errors: { RSENotFound: 404 },
  },
  setRseUsage: {
    method: 'PUT',
    path: '/rses/:rse/usage',
    summary: 'Set the usage of an RSE that a source reports',
    permission: 'set_rse_usage',
    body: { schema: newRseUsage, json: 'dictionary', name: 'rse_usage' },
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, RSENotFound: 404 },
  },
  listRseUsageHistory: {
    method: 'GET',
    path: '/rses/:rse/usage/history',
    summary: 'Past usage of an RSE, newest first',
    permission: 'any',
    accept: stream,
    query: historyFilters,
    pages: true,
    answer: { kind: 'stream', schema: pastUsageLine },
    errors: { RSENotFound: 404 },
  },
  listRseAccountUsage: {
    method: 'GET',
    path: '/rses/:rse/accounts/usage',
    summary: 'Usage and quota of every account on an RSE, in name order',
    permission: 'any',
    accept: json,
    pages: true,
    // Like Rucio, sends lines under the media type of a JSON document.
    answer: { kind: 'stream', schema: accountUsageLine, mediaType: json },
    errors: { RSENotFound: 404 },
  },
} as const satisfies Routes;
