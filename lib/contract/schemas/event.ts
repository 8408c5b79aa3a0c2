import * as z from 'zod/mini';

import { givenDate, looseBoolean } from './common.ts';

/**
 * The types of events: Rucio's where it has such a message (spec/dids.md appendix B, spec/replication.md 3.8), and in
 * the same style Dapple's for all other changes of the catalogue.
 */
export const eventTypes = [
  // Types of Rucio.
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
  'deletion-failed',
  // Types of Dapple.
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

/** The type of an event. */
export type EventType = (typeof eventTypes)[number];

/** The envelope of an event: CloudEvents 1.0, in its JSON form. */
export const catalogueEvent = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.string().check(z.minLength(1), z.meta({ description: 'The same for every delivery of the event' })),
  source: z.literal('/dapple'),
  type: z.enum(eventTypes),
  subject: z.string().check(
    z.minLength(1),
    z.meta({
      description: 'The subject: `scope:name` for a DID and its dependents; an account, a scope, an RSE',
    }),
  ),
  time: z
    .string()
    .check(z.meta({ description: 'Time of the commit, to the second, such as `2026-11-21T12:21:38.000Z`' })),
  datacontenttype: z.literal('application/json'),
  data: z.record(z.string(), z.unknown()).check(z.meta({ description: 'By type: see docs/api.md' })),
});

/** An event of the catalogue. */
export type CatalogueEvent = z.output<typeof catalogueEvent>;

/** An event of the log, as its readers get it. */
export interface EventLine {
  /** Its position in the log, from which a reader resumes. */
  readonly place: string;
  readonly type: string;
  /** The event as JSON text. */
  readonly text: string;
}

/** A message to a reader: an event, or only the position from which to resume. */
export type EventMessage = EventLine | Pick<EventLine, 'place'>;

/** The start of the requested events, in milliseconds since 1970. */
const since = z.optional(givenDate).check(
  z.meta({
    description: 'Events from this date on, within the retention time; absent: from now on',
  }),
);

/** Selects events. */
export const eventQuery = z.object({
  since,
  type: z
    ._default(z.array(z.enum(eventTypes, { error: ({ input }) => `'${String(input)}' is no type of events` })), [])
    .check(z.meta({ description: 'Only events of this type; repeatable' })),
  scope: z.optional(z.string()).check(z.meta({ description: 'Only events whose `data` contains this scope' })),
  subject: z.optional(z.string()).check(z.meta({ description: 'Only events whose subject has this prefix' })),
  follow: z._default(looseBoolean('follow'), true).check(
    z.meta({
      description: 'False: the answer ends after the last stored event instead of waiting for more',
    }),
  ),
});

/** The position from which a client resumes after a lost connection. */
export const eventHeaders = z.object({
  'Last-Event-ID': z
    .optional(z.string())
    .check(z.meta({ description: 'The `id` of the last received event; takes precedence over `since`' })),
});

/** A parsed selection of events. */
export type EventQuery = z.output<typeof eventQuery>;
