import { group } from './route.ts';
import { newRse, rseSettings } from './schemas/rse.ts';

/** Storage endpoints (interface document, 4.4; spec/rses.md 1). */
export const rses = group('rses', ['/rses'], {
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
    accept: 'application/json',
    answer: { kind: 'json', schema: rseSettings },
    errors: { RSENotFound: 404 },
  },
});
