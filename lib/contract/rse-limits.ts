import type { Routes } from './route.ts';
import { endedRseLimit, newRseLimit, qosPolicies, rseLimitValues as limits } from './schemas/rse-limit.ts';

const json = 'application/json';
const denied = { AccessDenied: 401, RSENotFound: 404 } as const;

/** Limits and QoS policies of RSEs (spec/rses.md 1.13 to 1.15, 1.21 to 1.23); all also accept disabled RSEs. */
export const rseLimits = {
  listRseLimits: {
    method: 'GET',
    path: '/rses/:rse/limits',
    summary: 'Limits of an RSE, in bytes',
    permission: 'any',
    resource: 'rse',
    accept: json,
    answer: { kind: 'json', schema: limits },
    errors: { RSENotFound: 404 },
  },
  setRseLimit: {
    method: 'PUT',
    path: '/rses/:rse/limits',
    summary: 'Create or change a limit of an RSE, in bytes',
    permission: 'set_rse_limits',
    resource: 'rse',
    body: { schema: newRseLimit, json: 'dictionary', name: 'rse_limit' },
    answer: { kind: 'empty' },
    errors: denied,
  },
  deleteRseLimit: {
    method: 'DELETE',
    path: '/rses/:rse/limits',
    summary: 'Delete a limit of an RSE, or all of them',
    permission: 'delete_rse_limits',
    resource: 'rse',
    body: { schema: endedRseLimit, json: 'dictionary', name: 'rse_limit' },
    answer: { kind: 'empty' },
    errors: denied,
  },

  listQosPolicies: {
    method: 'GET',
    path: '/rses/:rse/qos_policy',
    summary: 'QoS policies of an RSE, by name',
    permission: 'any',
    resource: 'rse',
    accept: json,
    answer: { kind: 'json', schema: qosPolicies },
    errors: { RSENotFound: 404 },
  },
  addQosPolicy: {
    method: 'POST',
    path: '/rses/:rse/qos_policy/:policy',
    summary: 'Add a QoS policy to an RSE',
    permission: 'add_qos_policy',
    resource: 'rse',
    accept: json,
    answer: { kind: 'created' },
    errors: { InvalidObject: 400, ...denied, Duplicate: 409, PayloadTooLarge: 413 },
  },
  deleteQosPolicy: {
    method: 'DELETE',
    path: '/rses/:rse/qos_policy/:policy',
    summary: 'Delete a QoS policy of an RSE',
    permission: 'delete_qos_policy',
    resource: 'rse',
    accept: json,
    answer: { kind: 'empty' },
    errors: denied,
  },
} as const satisfies Routes;
