import * as z from 'zod/mini';

import { givenDate, looseBoolean } from './common.ts';

/**
 * The types of events: Rucio's where it has a message of the kind (spec/dids.md Appendix B, spec/replication.md 3.8),
 * ours in the same style for all else that changes in the catalogue.
 */
export const eventTypes = [
  // Rucio's.
  'CREATE_DTS',
  'CREATE_CNT',
  'REGISTER_CNT',
  'ERASE_CNT',
  'DETACH',
  'CLOSE',
  'OPEN',
  'ERASE',
  'RULE_OK',
  'RULE_PROGRESS',
  'DATASETLOCK_OK',
  'transfer-queued',
  'transfer-done',
  'transfer-failed',
  'deletion-done',
  // Ours.
  'CREATE_FILE',
  'SET_METADATA',
  'DELETE_METADATA',
  'ATTACH',
  'UPDATE_ATTACHMENT',
  'ADD_REPLICA',
  'UPDATE_REPLICA',
  'CREATE_RULE',
  'UPDATE_RULE',
  'DELETE_RULE',
  'ADD_DATASETLOCK',
  'DELETE_DATASETLOCK',
  'CREATE_ACCOUNT',
  'UPDATE_ACCOUNT',
  'CREATE_SCOPE',
  'UPDATE_SCOPE',
  'CREATE_RSE',
  'UPDATE_RSE',
  'DELETE_RSE',
  'CREATE_SUBSCRIPTION',
  'UPDATE_SUBSCRIPTION',
  'DELETE_SUBSCRIPTION',
] as const;

/** What happened. */
export type EventType = (typeof eventTypes)[number];

/** The envelope of an event: CloudEvents 1.0, in its JSON form. */
export const catalogueEvent = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.string().check(z.minLength(1), z.meta({ description: 'The same whenever the event is delivered again' })),
  source: z.literal('/dapple'),
  type: z.enum(eventTypes),
  subject: z.string().check(
    z.minLength(1),
    z.meta({
      description: 'What it is about: `scope:name` for a DID and all that hangs on it; an account, a scope, an RSE',
    }),
  ),
  time: z
    .string()
    .check(z.meta({ description: 'When it was committed, to the second, such as `2026-11-21T12:21:38.000Z`' })),
  datacontenttype: z.literal('application/json'),
  data: z.record(z.string(), z.unknown()).check(z.meta({ description: 'By type: see docs/api.md' })),
});

/** An event of the catalogue. */
export type CatalogueEvent = z.output<typeof catalogueEvent>;

/** An event on its way to a reader of the log. */
export interface EventLine {
  /** Its place in the log, from where a reader goes on. */
  readonly place: string;
  readonly type: string;
  /** The event as JSON text. */
  readonly text: string;
}

/** What a reader gets: an event, or only the place from where it goes on. */
export type EventMessage = EventLine | Pick<EventLine, 'place'>;

/** From when on events are wanted; in milliseconds. */
const since = z.optional(givenDate).check(
  z.meta({
    description: 'Events that were announced from this date on, as far as they are kept; absent: from now on',
  }),
);

/** Which events a reader wants. */
export const eventQuery = z.object({
  since,
  type: z
    ._default(z.array(z.enum(eventTypes, { error: ({ input }) => `'${String(input)}' is no type of events` })), [])
    .check(z.meta({ description: 'Only events of this type; may stand several times' })),
  scope: z.optional(z.string()).check(z.meta({ description: 'Only events whose `data` names this scope' })),
  subject: z.optional(z.string()).check(z.meta({ description: 'Only events whose subject begins so' })),
  follow: z._default(looseBoolean('follow'), true).check(
    z.meta({
      description: 'False: the answer ends with the last event that there is, instead of waiting for more',
    }),
  ),
});

/** Where a reader goes on whose connection was lost. */
export const eventHeaders = z.object({
  'Last-Event-ID': z
    .optional(z.string())
    .check(z.meta({ description: 'The `id` of the last event that came; wins over `since`' })),
});

/** Which events are wanted. */
export type EventWish = z.output<typeof eventQuery>;
