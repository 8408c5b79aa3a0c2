import { events } from '../lib/contract/events.ts';
import { createHandler } from '../lib/http/handler.ts';
import { followEvents } from '../lib/operations/events/follow-events.ts';

export const handler = createHandler(events, {
  followEvents: (context, { query, headers, deadline }) =>
    followEvents(context, { wish: query, lastEventId: headers['last-event-id'], deadline }),
});
