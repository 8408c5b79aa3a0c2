import { heartbeats } from './heartbeats.ts';
import { group, type Route } from './route.ts';
import { metricsFilters, request, requestFilters, requestLine, requestMetrics } from './schemas/request.ts';
import { newTransferLimit, transferLimit, transferLimitSelector } from './schemas/transfer-limit.ts';

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
 * Transfer requests of rules (spec/access.md 6.6). The transfer tool lists them here and reports a finished copy with
 * `PUT /replicas`; the request is then deleted.
 */
export const requests = group('requests', ['/requests', '/heartbeats'], {
  ...heartbeats,
  listRequests: {
    method: 'GET',
    path: '/requests/list',
    summary: 'Transfer requests between RSEs, by RSE, scope and name',
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
    summary: 'Past transfer requests: always empty, none are stored',
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
    summary: 'Transfer limits, kept for whoever copies files',
    permission: 'list_transfer_limits',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: transferLimit },
    errors: { AccessDenied: 401 },
  },
  setTransferLimit: {
    method: 'PUT',
    path: '/requests/transfer_limits',
    summary: 'Set the transfer limit of an RSE expression, an activity and a direction',
    permission: 'set_transfer_limit',
    body: { schema: newTransferLimit, json: 'dictionary', name: 'transfer_limit' },
    answer: { kind: 'created-empty' },
    errors: { AccessDenied: 401, InvalidRSEExpression: 400 },
  },
  deleteTransferLimit: {
    method: 'DELETE',
    path: '/requests/transfer_limits',
    summary: 'Delete a transfer limit, if there is one',
    permission: 'delete_transfer_limit',
    body: { schema: transferLimitSelector, json: 'dictionary', name: 'transfer_limit' },
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401 },
  },
  getRequest: {
    method: 'GET',
    path: '/requests/**:scope_name/:rse',
    summary: 'The transfer request of a file to an RSE',
    permission: 'any',
    accept: json,
    answer: { kind: 'json', schema: request },
    errors: { RSENotFound: 404, RequestNotFound: 404 },
  },
  getRequestHistory: {
    method: 'GET',
    path: '/requests/history/**:scope_name/:rse',
    summary: 'Past transfer requests of a file to an RSE: none are stored',
    permission: 'get_request_history_by_did',
    accept: json,
    answer: { kind: 'json', schema: request },
    errors: { AccessDenied: 401, RSENotFound: 404, RequestNotFound: 404 },
  },
});
