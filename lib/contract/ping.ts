import * as z from 'zod/mini';

import { group } from './route.ts';

/** Version (spec/access.md 6.1). */
export const ping = group('ping', ['/ping'], {
  ping: {
    method: 'GET',
    path: '/ping',
    summary: 'Version of the service',
    permission: 'open',
    accept: 'application/json',
    answer: { kind: 'json', compact: true, schema: z.object({ version: z.string() }) },
  },
});
