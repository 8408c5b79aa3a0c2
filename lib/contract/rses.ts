import * as z from 'zod/mini';

import { group } from './route.ts';
import { rseAttributes } from './rse-attributes.ts';
import { rseDistances } from './rse-distances.ts';
import { rseLimits } from './rse-limits.ts';
import { rseProtocols } from './rse-protocols.ts';
import { rseUsage } from './rse-usage.ts';
import { rseExpression } from './schemas/common.ts';
import { newRse, rseChange, rseLine, rseSettings } from './schemas/rse.ts';

const json = 'application/json';

/** Storage endpoints (spec/interface.md 4.4, spec/rses.md 1). */
export const rses = group('rses', ['/rses'], {
  listRses: {
    method: 'GET',
    path: '/rses',
    summary: 'Live RSEs in name order: all with their properties, or the names of those that match an expression',
    permission: 'any',
    accept: 'application/x-json-stream',
    query: z.object({ expression: z.optional(rseExpression).check(z.meta({ description: 'RSE expression' })) }),
    pages: true,
    answer: { kind: 'stream', schema: rseLine },
    errors: { InvalidRSEExpression: 400, InvalidObject: 400 },
  },
  addRse: {
    method: 'POST',
    path: '/rses/:rse',
    summary: 'Create an RSE',
    permission: 'add_rse',
    body: { schema: newRse, json: 'dictionary', name: 'rse', optional: true },
    answer: { kind: 'created' },
    errors: { AccessDenied: 401, Duplicate: 409, InputValidationError: 422 },
  },
  getRse: {
    method: 'GET',
    path: '/rses/:rse',
    summary: 'Settings of an RSE',
    permission: 'any',
    resource: 'rse',
    accept: json,
    answer: { kind: 'json', schema: rseSettings },
    errors: { RSENotFound: 404 },
  },
  updateRse: {
    method: 'PUT',
    path: '/rses/:rse',
    summary: 'Change properties of an RSE, its name included',
    permission: 'update_rse',
    resource: 'rse',
    body: { schema: rseChange, json: 'dictionary', name: 'rse', optional: true },
    answer: { kind: 'created' },
    errors: { InputValidationError: 400, AccessDenied: 401, RSENotFound: 404, Duplicate: 409 },
  },
  deleteRse: {
    method: 'DELETE',
    path: '/rses/:rse',
    summary: 'Disable an empty RSE; its name cannot be used again',
    permission: 'del_rse',
    resource: 'rse',
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, RSENotFound: 404, RSEOperationNotSupported: 404 },
  },
  ...rseAttributes,
  ...rseDistances,
  ...rseLimits,
  ...rseProtocols,
  ...rseUsage,
});
