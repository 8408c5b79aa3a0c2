import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import { looseFlag } from './schemas/common.ts';
import { newDistance, rseDistances as distances } from './schemas/rse-distance.ts';

const getDistance = {
  method: 'GET',
  path: '/rses/:source/distances/:destination',
  summary: 'How far it is from an RSE to another one; an empty list where nobody has said so',
  permission: 'any',
  accept: 'application/json',
  answer: { kind: 'json', schema: distances },
  errors: { RSENotFound: 404 },
} as const;

const updateDistance = {
  method: 'PUT',
  path: '/rses/:source/distances/:destination',
  summary: 'Change how far it is from an RSE to another one; nothing happens where nobody has said so yet',
  permission: 'update_distance',
  body: { schema: newDistance, json: 'dictionary', name: 'distance' },
  answer: { kind: 'empty' },
  errors: { AccessDenied: 401, RSENotFound: 404 },
} as const;

/**
 * Distances between RSEs, live and disabled ones (spec/rses.md 1.9 to 1.12): under the paths of Rucio's client and those of
 * the interface document, one of which attributes have too (`addRseAttribute`).
 */
export const rseDistances = {
  getDistance,
  getDistanceByAttribute: { ...getDistance, path: '/rses/:source/attr/:destination' },
  addDistance: {
    method: 'POST',
    path: '/rses/:source/distances/:destination',
    summary: 'Say how far it is from an RSE to another one',
    permission: 'add_distance',
    body: { schema: newDistance, json: 'dictionary', name: 'distance' },
    answer: { kind: 'created' },
    errors: { AccessDenied: 401, RSENotFound: 404, Duplicate: 409 },
  },
  updateDistance,
  updateDistanceByAttribute: { ...updateDistance, path: '/rses/:source/attr/:destination' },
  deleteDistance: {
    method: 'DELETE',
    path: '/rses/:source/distances/:destination',
    summary: 'Delete how far it is from an RSE to another one, where somebody has said so',
    permission: 'delete_distance',
    query: z.object({
      bidirectional: looseFlag('bidirectional').check(z.meta({ description: 'The other direction as well' })),
    }),
    answer: { kind: 'text', mediaType: 'text/html; charset=utf-8' },
    errors: { AccessDenied: 401, RSENotFound: 404 },
  },
} as const satisfies Routes;
