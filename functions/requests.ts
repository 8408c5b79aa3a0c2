import { requests } from '../lib/contract/requests.ts';
import { createHandler } from '../lib/http/handler.ts';
import { getStatus } from '../lib/operations/monitoring/get-status.ts';
import { getRequest, getRequestHistory } from '../lib/operations/requests/get-request.ts';
import { addHeartbeat, listHeartbeats } from '../lib/operations/requests/heartbeats.ts';
import { leaseRequests } from '../lib/operations/requests/lease-requests.ts';
import { listRequestsHistory } from '../lib/operations/requests/list-past-requests.ts';
import { listRequestMetrics } from '../lib/operations/requests/list-request-metrics.ts';
import { listRequests } from '../lib/operations/requests/list-requests.ts';
import { reportRequests } from '../lib/operations/requests/report-requests.ts';
import {
  deleteTransferLimit,
  listTransferLimits,
  setTransferLimit,
} from '../lib/operations/requests/transfer-limits.ts';

export const handler = createHandler(requests, {
  listHeartbeats: (context) => listHeartbeats(context),
  addHeartbeat: { run: (context, { body }) => addHeartbeat(context, body), present: () => ({ body: 'OK' }) },
  getStatus: (context) => getStatus(context),
  listRequests: (context, { query, page }) => listRequests(context, query, page),
  listRequestsHistory: (context, { query }) => listRequestsHistory(context, query),
  leaseRequests: (context, { body }) => leaseRequests(context, body),
  reportRequests: (context, { body }) => reportRequests(context, body),
  getRequestMetrics: (context, { query }) => listRequestMetrics(context, query),
  listTransferLimits: (context, { page }) => listTransferLimits(context, page),
  setTransferLimit: (context, { body }) => setTransferLimit(context, body),
  deleteTransferLimit: (context, { body }) => deleteTransferLimit(context, body),
  getRequest: (context, { params }) => getRequest(context, params.did, params.rse),
  getRequestHistory: (context, { params }) => getRequestHistory(context, params.did, params.rse),
});
