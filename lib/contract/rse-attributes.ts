import type { Routes } from './route.ts';
import { rseAttributeValues as attributes } from './schemas/rse-attribute.ts';
import { attributeOrDistance } from './schemas/rse-distance.ts';

/** Attributes of RSEs (spec/rses.md 1.6 to 1.8); all three also accept disabled RSEs. */
export const rseAttributes = {
  listRseAttributes: {
    method: 'GET',
    path: '/rses/:rse/attr',
    summary: 'Attributes of an RSE',
    permission: 'any',
    resource: 'rse',
    accept: 'application/json',
    answer: { kind: 'json', compact: true, schema: attributes },
    errors: { RSENotFound: 404 },
  },
  addRseAttribute: {
    method: 'POST',
    path: '/rses/:rse/attr/:key',
    summary: 'Create or change an attribute of an RSE; without `value`: set the distance to the RSE of that name',
    permission: 'add_rse_attribute',
    resource: 'rse',
    body: { schema: attributeOrDistance, json: 'dictionary', name: 'rse_attribute' },
    answer: { kind: 'created' },
    errors: { AccessDenied: 401, RSENotFound: 404, Duplicate: 409 },
  },
  deleteRseAttribute: {
    method: 'DELETE',
    path: '/rses/:rse/attr/:key',
    summary: 'Delete an attribute of an RSE',
    permission: 'del_rse_attribute',
    resource: 'rse',
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, RSENotFound: 404, RSEAttributeNotFound: 404 },
  },
} as const satisfies Routes;
