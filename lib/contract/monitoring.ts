import type { Routes } from './route.ts';
import { status } from './schemas/monitoring.ts';

/** How the catalogue is, for those who operate it. */
export const monitoring = {
  getStatus: {
    method: 'GET',
    path: '/status',
    summary: 'How the catalogue is: table, clock, events and tasks, and what has to be looked at',
    permission: 'list_heartbeats',
    isExtension: true,
    accept: 'application/json',
    answer: { kind: 'json', schema: status },
    errors: { AccessDenied: 401 },
  },
} as const satisfies Routes;
