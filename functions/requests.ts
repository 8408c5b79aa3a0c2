import { requests } from '../lib/contract/requests.ts';
import { createHandler } from '../lib/http/handler.ts';
import { getRequest, getRequestHistory } from '../lib/operations/requests/get-request.ts';
import { listRequestMetrics, listTransferLimits } from '../lib/operations/requests/list-request-metrics.ts';
import { listRequests, listRequestsHistory } from '../lib/operations/requests/list-requests.ts';

export const handler = createHandler(requests, {
  listRequests: (context, { query, page }) => listRequests(context, query, page),
  listRequestsHistory: (context, { query }) => listRequestsHistory(context, query),
  getRequestMetrics: (context, { query }) => listRequestMetrics(context, query),
  listTransferLimits: (context) => listTransferLimits(context),
  getRequest: (context, { params }) => getRequest(context, params.did, params.rse),
  getRequestHistory: (context, { params }) => getRequestHistory(context, params.did, params.rse),
});
