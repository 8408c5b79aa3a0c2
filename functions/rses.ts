import { rses } from '../lib/contract/rses.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addProtocol } from '../lib/operations/rses/add-protocol.ts';
import { addRse } from '../lib/operations/rses/add-rse.ts';
import { addAttributeOrDistance } from '../lib/operations/rses/attribute-or-distance.ts';
import { deleteProtocols } from '../lib/operations/rses/delete-protocols.ts';
import { deleteRse } from '../lib/operations/rses/delete-rse.ts';
import { getDistance } from '../lib/operations/rses/get-distance.ts';
import { getRseSettings } from '../lib/operations/rses/get-rse.ts';
import { listRseAttributes } from '../lib/operations/rses/list-attributes.ts';
import { getProtocols, listProtocols } from '../lib/operations/rses/list-protocols.ts';
import { listLiveRses } from '../lib/operations/rses/list-rses.ts';
import { addQosPolicy, deleteQosPolicy, listQosPolicies } from '../lib/operations/rses/qos-policies.ts';
import { deleteRseLimit, listRseLimits, setRseLimit } from '../lib/operations/rses/rse-limits.ts';
import { deleteRseAttribute } from '../lib/operations/rses/set-attribute.ts';
import { translateLfns } from '../lib/operations/rses/translate-lfns.ts';
import { updateProtocol } from '../lib/operations/rses/update-protocol.ts';
import { updateRse } from '../lib/operations/rses/update-rse.ts';
import { listRseAccountUsage } from '../lib/operations/rses/usage-by-account.ts';
import { listUsageHistoryOfRse, listUsageOfRse, recordRseUsage } from '../lib/operations/rses/usage-of-rse.ts';
import { addDistance, deleteDistance, updateDistance } from '../lib/operations/rses/write-distance.ts';

export const handler = createHandler(rses, {
  listRses: (context, { query, page }) => listLiveRses(context, query, page),
  addRse: (context, { params, body }) => addRse(context, params.rse, body),
  getRse: (context, { params }) => getRseSettings(context, params.rse),
  updateRse: (context, { params, body }) => updateRse(context, params.rse, body),
  deleteRse: (context, { params }) => deleteRse(context, params.rse),

  listRseAttributes: (context, { params }) => listRseAttributes(context, params.rse),
  addRseAttribute: (context, { params, body }) => addAttributeOrDistance(context, params, body),
  deleteRseAttribute: (context, { params }) => deleteRseAttribute(context, params),

  getDistance: (context, { params }) => getDistance(context, params),
  getDistanceByAttribute: (context, { params }) => getDistance(context, params),
  addDistance: (context, { params, body }) => addDistance(context, params, body),
  updateDistance: (context, { params, body }) => updateDistance(context, params, body),
  updateDistanceByAttribute: (context, { params, body }) => updateDistance(context, params, body),
  deleteDistance: {
    run: (context, { params, query }) => deleteDistance(context, params, query),
    present: () => ({ body: 'Deleted' }),
  },

  listRseLimits: (context, { params }) => listRseLimits(context, params.rse),
  setRseLimit: (context, { params, body }) => setRseLimit(context, params.rse, body),
  deleteRseLimit: (context, { params, body }) => deleteRseLimit(context, params.rse, body.name),
  listQosPolicies: (context, { params }) => listQosPolicies(context, params.rse),
  addQosPolicy: (context, { params }) => addQosPolicy(context, params),
  deleteQosPolicy: (context, { params }) => deleteQosPolicy(context, params),

  listProtocols: (context, { params }) => listProtocols(context, params.rse),
  getProtocols: (context, { params }) => getProtocols(context, params.rse),
  addProtocol: (context, { params, body }) => addProtocol(context, params.rse, params.scheme, body),
  updateProtocol: (context, { params, body }) => updateProtocol(context, params.rse, params, body),
  updateProtocolOfHost: (context, { params, body }) => updateProtocol(context, params.rse, params, body),
  updateProtocolOfScheme: (context, { params, body }) => updateProtocol(context, params.rse, params, body),
  deleteProtocol: (context, { params }) => deleteProtocols(context, params.rse, params),
  deleteProtocolsOfHost: (context, { params }) => deleteProtocols(context, params.rse, params),
  deleteProtocolsOfScheme: (context, { params }) => deleteProtocols(context, params.rse, params),
  lfnsToPfns: (context, { params, query }) => translateLfns(context, params.rse, query),

  listRseUsages: (context, { params, query, page }) => listUsageOfRse(context, params.rse, query, page),
  setRseUsage: (context, { params, body }) => recordRseUsage(context, params.rse, body),
  listRseUsageHistory: (context, { params, query, page }) => listUsageHistoryOfRse(context, params.rse, query, page),
  listRseAccountUsage: (context, { params, page }) => listRseAccountUsage(context, params.rse, page),
});
