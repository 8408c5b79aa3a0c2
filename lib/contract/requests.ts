import { heartbeats } from './heartbeats.ts';
import { monitoring } from './monitoring.ts';
import { group, type Route } from './route.ts';
import {
  historyFilters,
  metricsFilters,
  request,
  requestFilters,
  requestLine,
  requestMetrics,
} from './schemas/request.ts';
import { leasedTransfers, leaseWish, transferOutcomes, transferReport } from './schemas/transfer-lease.ts';
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
 * Transfer requests of rules (spec/access.md 6.6). A mover leases them, makes the copies and reports
 * (docs/how-to/move-data.md); or it lists them and reports with `PUT /replicas`. A request that is over is deleted, and
 * kept in the history.
 */
export const requests = group('requests', ['/requests', '/heartbeats', '/status'], {
  ...heartbeats,
  ...monitoring,
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
    summary: 'Attempts of the last 30 days to copy files between RSEs, by RSE, scope, name and time',
    permission: 'list_requests_history',
    accept: stream,
    query: historyFilters,
    answer: { kind: 'stream', schema: requestLine },
    errors: listErrors,
  },
  leaseRequests: {
    method: 'POST',
    path: '/requests/lease',
    summary: 'Take transfer requests for a time, each for one mover only',
    isExtension: true,
    isKeyless: true,
    permission: 'lease_requests',
    accept: json,
    body: { schema: leaseWish, json: 'dictionary', name: 'lease' },
    answer: { kind: 'json', schema: leasedTransfers },
    errors: { InvalidRSEExpression: 400, AccessDenied: 401, RSENotFound: 404 },
  },
  reportRequests: {
    method: 'POST',
    path: '/requests/report',
    summary: 'Report what became of leased transfer requests to an RSE, all or none; a repeat has no further effect',
    isExtension: true,
    permission: 'report_requests',
    accept: json,
    body: { schema: transferReport, json: 'dictionary', name: 'report' },
    answer: { kind: 'json', schema: transferOutcomes },
    errors: { AccessDenied: 401, RSENotFound: 404 },
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
    summary: 'Transfer limits, which leases honour',
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
    summary: 'The last attempt within 30 days to copy a file to an RSE',
    permission: 'get_request_history_by_did',
    accept: json,
    answer: { kind: 'json', schema: request },
    errors: { AccessDenied: 401, RSENotFound: 404, RequestNotFound: 404 },
  },
});
