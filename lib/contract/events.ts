import { group } from './route.ts';
import { catalogueEvent, eventHeaders, eventQuery } from './schemas/event.ts';

/** Events of the catalogue, live (docs/adr/0012-events.md). */
export const events = group('events', ['/events'], {
  followEvents: {
    method: 'GET',
    path: '/events',
    summary: 'Events of the catalogue, live as server-sent events',
    isExtension: true,
    permission: 'any',
    writes: true,
    accept: 'text/event-stream',
    query: eventQuery,
    headers: eventHeaders,
    answer: { kind: 'events', schema: catalogueEvent },
    errors: { ValueError: 400 },
    otherErrors: [['ResourceTemporaryUnavailable', 429]],
  },
});
