import * as z from 'zod/mini';

import { group } from './route.ts';

/** Version (spec/access.md 6.1), and the check for monitors. */
export const ping = group('ping', ['/ping', '/health'], {
  ping: {
    method: 'GET',
    path: '/ping',
    summary: 'Version of the service',
    permission: 'open',
    accept: 'application/json',
    answer: { kind: 'json', compact: true, schema: z.object({ version: z.string() }) },
  },
  getHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Whether requests reach a function and the table, for monitors; 503 if the table does not answer',
    isExtension: true,
    permission: 'open',
    answer: { kind: 'json', schema: z.object({ status: z.literal('ok') }) },
  },
});
