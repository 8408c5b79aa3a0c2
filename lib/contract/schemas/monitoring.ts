import * as z from 'zod/mini';

import { date } from './common.ts';

/** A list of which a part is counted. */
const counted = z.object({
  /** At most `countedTasks`. */
  count: z.int(),
  more: z.boolean(),
  oldest_due_at: z.nullable(date),
});

/** How the catalogue is, for operators. */
export const status = z.object({
  /** What an operator has to look at, in words; empty if all is well. */
  problems: z.array(z.string()),
  table: z.object({ milliseconds: z.number() }),
  /** By how much the clock of the process that answers was corrected by the clock of the table, in milliseconds. */
  clock: z.object({ correction: z.number() }),
  /** The last event of the log. */
  events: z.object({ last_at: z.nullable(date) }),
  /** By how much the consumers of the stream are behind; null where only the platform knows, as on AWS. */
  stream: z.object({ behind_seconds: z.nullable(z.number()) }),
  /** The last backup; null if none is known, as on AWS. */
  backup: z.object({ last_at: z.nullable(date) }),
  /** The last run of each job of the server that has run; null where a server runs none by itself, as on AWS. */
  jobs: z.nullable(
    z.array(
      z.object({
        job: z.string(),
        result: z.string(),
        ended_at: date,
        /** The end of the last run that was well. */
        success_at: z.nullable(date),
        /** The last line that it printed. */
        message: z.string(),
      }),
    ),
  ),
  /** Tasks of rules and subscriptions that are due. */
  tasks: counted,
  /** Whether changes from before a backup are still to be followed. */
  owed: z.boolean(),
});

/** The type of {@link status}. */
export type Status = z.input<typeof status>;
