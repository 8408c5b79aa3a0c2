import type { ScheduledFunctionProps } from './scheduled-function.ts';
import type { StreamConsumerProps } from './stream-consumer.ts';
import { lengthyWork } from './stream-filter.ts';

interface Background {
  /** Name of the construct, and of its alarms. */
  readonly id: string;
  /**
   * The consequence of a failure, for alarm descriptions; for consumers without its last word (`late.`, `missing.`).
   */
  readonly consequence: string;
}

/** The functions that follow the table's stream. */
export const streamConsumers: readonly (Background &
  Omit<StreamConsumerProps, 'config' | 'table' | 'bus'> & { readonly announces?: true })[] = [
  {
    id: 'StreamConsumer',
    entry: 'consume-stream',
    task: 'does what follows from changes of the table',
    announces: true,
    consequence: 'Events, and the placing and removing that rules ask for, are',
  },
  {
    id: 'StreamFollowUp',
    entry: 'follow-up-stream',
    task: 'does lengthy work that follows from changes of the table',
    filters: lengthyWork,
    consequence: 'Rules of subscriptions, and the steps of large rules, are',
  },
];

/** The functions that run on a schedule. */
export const scheduledFunctions: readonly (Background & {
  /** An alarm reports when it does not run. */
  readonly mustRun?: true;
} & Omit<ScheduledFunctionProps, 'config' | 'table'>)[] = [
  {
    id: 'BatchRecovery',
    entry: 'recover-batches',
    task: 'clears away what abandoned bulk requests left behind',
    mustRun: true,
    consequence:
      'What dead bulk requests left stays in the table, unseen; requests that meet it clear it away themselves, and take longer.',
  },
  {
    id: 'Expiry',
    entry: 'expire-dids',
    task: 'deletes DIDs whose lifetime is over',
    consequence:
      'DIDs whose lifetime is over stay, and so do the rules on them, with the space and the quota that those take.',
  },
  {
    id: 'Work',
    entry: 'do-work',
    task: 'does what was noted for a time that has come',
    everyMinutes: 1,
    consequence:
      'Tasks that stopped on the way are not taken up again: large rules and subscriptions do not get ahead.',
  },
  {
    id: 'MetadataIndex',
    entry: 'maintain-metadata-index',
    task: 'keeps the index of metadata as the configuration says',
    consequence: 'Searches by a key that was added to the index stay slow, and cost more.',
  },
];
