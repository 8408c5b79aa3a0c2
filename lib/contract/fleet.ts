import * as z from 'zod/mini';

import { group } from './route.ts';
import { looseBoolean } from './schemas/common.ts';
import { fleetExport, fleetImport } from './schemas/fleet.ts';

/** Export and import of all RSEs (spec/rses.md 1.29, 1.30). */
export const fleet = group('fleet', ['/export', '/import'], {
  exportFleet: {
    method: 'GET',
    path: '/export',
    summary: 'All live RSEs with their settings, and the distances between them',
    permission: 'export',
    accept: 'application/json',
    query: z.object({
      distance: z._default(looseBoolean('distance'), true).check(z.meta({ description: 'With distances' })),
    }),
    answer: { kind: 'json', schema: fleetExport },
    isLarge: true,
    errors: { AccessDenied: 401 },
  },
  importFleet: {
    method: 'POST',
    path: '/import',
    summary: 'Make RSEs, distances and accounts match a document, all or none',
    permission: 'import',
    body: { schema: fleetImport, json: 'dictionary', name: 'import' },
    answer: { kind: 'created' },
    errors: {
      IdentityError: 400,
      UnsupportedAccountName: 400,
      AccessDenied: 401,
      RSENotFound: 404,
      RSEProtocolDomainNotSupported: 404,
      RSEOperationNotSupported: 404,
      Duplicate: 409,
      RSEProtocolPriorityError: 409,
    },
  },
});
