import * as z from 'zod/mini';

import { group } from './route.ts';
import { heartbeat } from './schemas/heartbeat.ts';

/** Version and heartbeats (spec/access.md 6.1, 6.4). */
export const ping = group('ping', ['/ping', '/heartbeats'], {
  ping: {
    method: 'GET',
    path: '/ping',
    summary: 'Version of the service',
    permission: 'open',
    accept: 'application/json',
    answer: { kind: 'json', schema: z.object({ version: z.string() }) },
  },
  listHeartbeats: {
    method: 'GET',
    path: '/heartbeats',
    summary: 'Live daemons; the service has none',
    permission: 'list_heartbeats',
    accept: 'application/json',
    answer: { kind: 'json', schema: z.array(heartbeat) },
    errors: { AccessDenied: 401 },
  },
});
