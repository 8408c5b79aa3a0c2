import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import { heartbeat, newHeartbeat } from './schemas/heartbeat.ts';

/** Heartbeats of programs beside Dapple (spec/access.md 6.4). */
export const heartbeats = {
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
} as const satisfies Routes;
