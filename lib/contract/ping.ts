import * as z from 'zod/mini';

import { group } from './route.ts';
import { heartbeat, newHeartbeat } from './schemas/heartbeat.ts';

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
    summary: 'Processes that have sent a heartbeat within a day; the service has no daemons of its own',
    permission: 'list_heartbeats',
    accept: 'application/json',
    answer: { kind: 'json', schema: z.array(heartbeat) },
    errors: { AccessDenied: 401 },
  },
  addHeartbeat: {
    method: 'POST',
    path: '/heartbeats',
    summary: 'Record a heartbeat of a process',
    permission: 'send_heartbeats',
    body: { schema: newHeartbeat, json: 'dictionary', name: 'heartbeat' },
    answer: {
      kind: 'text',
      mediaType: 'text/html; charset=utf-8',
      replies: { 200: { description: 'The text `OK`' } },
    },
    errors: { AccessDenied: 401 },
  },
});
