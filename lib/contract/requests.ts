import * as z from 'zod/mini';

import { group, type Route } from './route.ts';
import { metricsFilters, request, requestFilters, requestLine, requestMetrics } from './schemas/request.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';

const listErrors = {
  Invalid: 400,
  InvalidObject: 400,
  InvalidRSEExpression: 400,
  MissingParameter: 400,
  AccessDenied: 401,
  NotFound: 404,
  RSENotFound: 404,
} as const satisfies Route['errors'];

/**
 * Copies that rules ask for (spec/access.md 6.6). Whoever makes them lists them here, and says `PUT /replicas` when one is
 * made; nothing is kept of it then.
 */
export const requests = group('requests', ['/requests'], {
  listRequests: {
    method: 'GET',
    path: '/requests/list',
    summary: 'What is to be copied from some RSEs to others, by RSE, scope and name',
    permission: 'list_requests',
    accept: stream,
    query: requestFilters,
    pages: true,
    answer: { kind: 'stream', schema: requestLine },
    errors: listErrors,
  },
  listRequestsHistory: {
    method: 'GET',
    path: '/requests/history/list',
    summary: 'What was copied: nothing is kept of it',
    permission: 'list_requests_history',
    accept: stream,
    query: requestFilters,
    answer: { kind: 'stream', schema: requestLine },
    errors: listErrors,
  },
  getRequestMetrics: {
    method: 'GET',
    path: '/requests/metrics',
    summary: 'Pairs of RSEs with their distances',
    permission: 'get_request_metrics',
    accept: stream,
    query: metricsFilters,
    answer: { kind: 'stream', schema: requestMetrics },
    errors: { AccessDenied: 401, RSENotFound: 404 },
  },
  listTransferLimits: {
    method: 'GET',
    path: '/requests/transfer_limits',
    summary: 'Limits of what is copied at once: there are none',
    permission: 'list_transfer_limits',
    accept: stream,
    answer: { kind: 'stream', schema: z.never() },
    errors: { AccessDenied: 401 },
  },
  getRequest: {
    method: 'GET',
    path: '/requests/**:scope_name/:rse',
    summary: 'The request to copy a file to an RSE',
    permission: 'any',
    accept: json,
    answer: { kind: 'json', schema: request },
    errors: { RSENotFound: 404, RequestNotFound: 404 },
  },
  getRequestHistory: {
    method: 'GET',
    path: '/requests/history/**:scope_name/:rse',
    summary: 'How a file was copied to an RSE: nothing is kept of it',
    permission: 'get_request_history_by_did',
    accept: json,
    answer: { kind: 'json', schema: request },
    errors: { AccessDenied: 401, RSENotFound: 404, RequestNotFound: 404 },
  },
});
