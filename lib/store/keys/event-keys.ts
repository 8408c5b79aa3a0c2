import { hourOf } from '../values/hour.ts';
import { join, type Key, sortableTime } from './key-parts.ts';

/** The first part of the keys below. */
const prefix = 'EVENTS';

/** The partition of all counts of readers. */
export const eventReaders = 'EVENTREADERS';

/** The keys of the log of events (docs/adr/0012-events.md); times in milliseconds since 1970. */
export const eventKeys = {
  /** Names the last entry. Every append changes it, so that entries have one order. */
  head: { PK: prefix, SK: 'HEAD' } as Key,
  /** No two entries have the same time. */
  entry: (at: number): Key => ({ PK: eventKeys.hour(hourOf(at)), SK: sortableTime(at) }),
  /** The readers of an account that began in a window of time, and all readers; the window by its begin. */
  readersOf: (begin: number, account: string): Key => ({
    PK: eventReaders,
    SK: join(sortableTime(begin), 'ACCOUNT', account),
  }),
  allReaders: (begin: number): Key => ({ PK: eventReaders, SK: sortableTime(begin) }),
  hour: (hour: number): string => join(prefix, String(hour)),
} as const;

/** Reads the time back out of the key of an entry. */
export function entryTimeOf({ SK }: Key): number {
  return Number(SK);
}
