import { events } from '../lib/contract/events.ts';
import { followEvents } from '../lib/domain/events/follow-events.ts';
import { createHandler } from '../lib/http/handler.ts';

export const handler = createHandler(events, {
  followEvents: (context, { query, headers, deadline }) =>
    followEvents(context, { wish: query, lastEventId: headers['last-event-id'], deadline }),
});
