import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import { looseFlag } from './schemas/common.ts';
import { newDistance, rseDistanceList as distances } from './schemas/rse-distance.ts';

const getDistance = {
  method: 'GET',
  path: '/rses/:source/distances/:destination',
  summary: 'Distance from an RSE to another one; an empty list if none is set',
  permission: 'any',
  accept: 'application/json',
  answer: { kind: 'json', schema: distances },
  errors: { RSENotFound: 404 },
} as const;

const updateDistance = {
  method: 'PUT',
  path: '/rses/:source/distances/:destination',
  summary: 'Change the distance from an RSE to another one; no effect if none is set',
  permission: 'update_distance',
  body: { schema: newDistance, json: 'dictionary', name: 'distance' },
  answer: { kind: 'empty' },
  errors: { AccessDenied: 401, RSENotFound: 404 },
} as const;

/**
 * Distances between RSEs, live and disabled ones (spec/rses.md 1.9 to 1.12). They have the paths of Rucio's client and
 * those of spec/interface.md 4.4; one of the latter also sets attributes (`addRseAttribute`).
 */
export const rseDistances = {
  getDistance,
  getDistanceByAttribute: { ...getDistance, path: '/rses/:source/attr/:destination' },
  addDistance: {
    method: 'POST',
    path: '/rses/:source/distances/:destination',
    summary: 'Set the distance from an RSE to another one',
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
    summary: 'Delete the distance from an RSE to another one, if one is set',
    permission: 'delete_distance',
    query: z.object({
      bidirectional: looseFlag('bidirectional').check(z.meta({ description: 'Also in the other direction' })),
    }),
    answer: { kind: 'text', mediaType: 'text/html; charset=utf-8' },
    errors: { AccessDenied: 401, RSENotFound: 404 },
  },
} as const satisfies Routes;
