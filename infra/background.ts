import type { MetricName } from '../lib/metric.ts';
import type { ScheduledFunctionProps } from './scheduled-function.ts';
import type { StreamConsumerProps } from './stream-consumer.ts';
import { deliveredChanges, lengthyWork } from './stream-filter.ts';

interface Background {
  /** Name of the construct, and of its alarms. */
  readonly id: string;
  /** The consequence of a failure, for the descriptions of alarms. Consumers have several alarms, which add `late.` or `lost ...`. */
  readonly consequence: string;
}

/** How a function uses the storage of RSEs. */
export interface StorageUse {
  readonly option: 'reaper' | 'movers' | 'streams';
  /** Counts what fails, for the alarm of this suffix. */
  readonly metric: MetricName;
  readonly alarm: string;
  readonly consequence: string;
}

/** The functions that follow the table's stream. */
export const streamConsumers: readonly (Background &
  Omit<StreamConsumerProps, 'config' | 'table' | 'bus'> & { readonly announces?: true })[] = [
  {
    id: 'StreamConsumer',
    entry: 'consume-stream',
    task: 'runs the reactions to changes of the table',
    filters: deliveredChanges,
    announces: true,
    consequence: 'Events and the lock changes of rules are',
  },
  {
    id: 'StreamFollowUp',
    entry: 'follow-up-stream',
    task: 'runs slow reactions to changes of the table: tasks and subscriptions',
    filters: lengthyWork,
    consequence: 'Rules of subscriptions and the steps of large rules are',
  },
];

/** The functions that run on a schedule. */
export const scheduledFunctions: readonly (Background & {
  /** An alarm reports when it does not run. */
  readonly mustRun?: true;
  /** Data would be lost, or never made, if it failed for long. */
  readonly guardsData?: true;
  /** It publishes events. */
  readonly announces?: true;
  /** It exists only with an option. */
  readonly needs?: 'movers' | 'streams';
  /** With an option it uses the storage of RSEs, and so their credentials. An alarm reports what fails there. */
  readonly usesStorage?: StorageUse;
} & Omit<ScheduledFunctionProps, 'config' | 'table'>)[] = [
  {
    id: 'BatchRecovery',
    entry: 'recover-batches',
    task: 'rolls back abandoned bulk requests',
    mustRun: true,
    guardsData: true,
    consequence:
      'Items of abandoned bulk requests stay in the table, invisible; requests that meet them remove them and take longer.',
  },
  {
    id: 'Expiry',
    entry: 'expire-dids',
    task: 'deletes expired DIDs',
    consequence: 'Expired DIDs and their rules are not deleted, and still take space and quota.',
  },
  {
    id: 'Work',
    entry: 'do-work',
    task: 'runs tasks that are due',
    everyMinutes: 1,
    consequence: 'Interrupted tasks are not resumed: large rules and subscriptions make no progress.',
  },
  {
    id: 'FollowOwed',
    entry: 'follow-owed',
    task: 'follows what the table owes since it was loaded or restored',
    guardsData: true,
    announces: true,
    consequence: 'Locks of rules, rules of subscriptions and events stay missing after a restore.',
  },
  {
    id: 'MetadataIndex',
    entry: 'maintain-metadata-index',
    task: 'maintains the metadata index as configured',
    consequence: 'Searches by a key that was added to the index stay slow and cost more.',
  },
  {
    id: 'FreeSpace',
    entry: 'free-space',
    task: 'deletes replicas without locks from RSEs that need space',
    environment: ({ reaper }) => ({ REAPER: reaper }),
    usesStorage: {
      option: 'reaper',
      metric: 'DeletionsRefused',
      alarm: 'Refused',
      consequence: 'A storage refuses to delete files: its RSE fills up, and is tried again at most six hours later.',
    },
    consequence: 'No space is freed: RSEs fill up, and uploads and copies to them fail once they are full.',
  },
  {
    id: 'MoveData',
    entry: 'move-data',
    task: 'lets storages copy what rules ask for',
    needs: 'movers',
    environment: ({ streams }) => ({ STREAMS: streams }),
    everyMinutes: 1,
    timeoutMinutes: 15,
    usesStorage: {
      option: 'movers',
      metric: 'CopiesFailed',
      alarm: 'Failed',
      consequence:
        'Files are not copied: after four attempts each their rules are stuck, and are tried again when repaired.',
    },
    consequence: 'No files are copied to RSEs with the attribute `mover`: their rules stay unfinished.',
  },
  {
    id: 'StreamData',
    entry: 'stream-data',
    task: 'copies between S3 and WebDAV what rules ask for',
    needs: 'streams',
    everyMinutes: 1,
    timeoutMinutes: 15,
    // One processor: the checksums of what passes are computed.
    memoryMegabytes: 1_769,
    usesStorage: {
      option: 'streams',
      metric: 'CopiesFailed',
      alarm: 'Failed',
      consequence:
        'Files are not copied between storages of several kinds: after four attempts each their rules are stuck, and are tried again when repaired.',
    },
    consequence: 'No files are copied to RSEs with the attribute `mover=stream`: their rules stay unfinished.',
  },
];
