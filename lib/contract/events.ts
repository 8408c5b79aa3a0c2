import { group } from './route.ts';
import { catalogueEvent, eventHeaders, eventQuery } from './schemas/event.ts';

/** What happens in the catalogue, live (docs/adr/0012-events.md). */
export const events = group('events', ['/events'], {
  followEvents: {
    method: 'GET',
    path: '/events',
    summary: 'Changes of the catalogue as they happen, as server-sent events',
    isExtension: true,
    permission: 'any',
    accept: 'text/event-stream',
    query: eventQuery,
    headers: eventHeaders,
    answer: { kind: 'events', schema: catalogueEvent },
    errors: { ValueError: 400 },
  },
});
