import { hourOf } from '../values/hour.ts';
import { join, type Key, part, sortableTime } from './key-parts.ts';

/** The first part of the keys below. */
const prefix = 'EVENTS';
const headPrefix = 'HEAD';

/** The partition of all counts of readers. */
export const eventReaders = 'EVENTREADERS';

/** The keys of the log of events (docs/adr/0012-events.md); times in milliseconds since 1970. */
export const eventKeys = {
  /** Names the last entry of a lane. Every append to the lane changes it, so that the entries of a lane have one order. */
  head: (lane: number): Key => ({ PK: prefix, SK: lane === 0 ? headPrefix : join(headPrefix, String(lane)) }),
  heads: prefix,
  /** No two entries of a lane have the same time. */
  entry: (lane: number, at: number): Key => ({ PK: eventKeys.hour(lane, hourOf(at)), SK: sortableTime(at) }),
  /** The readers of an account that began in a window of time, and all readers; the window by its begin. */
  readersOf: (begin: number, account: string): Key => ({
    PK: eventReaders,
    SK: join(sortableTime(begin), 'ACCOUNT', account),
  }),
  allReaders: (begin: number): Key => ({ PK: eventReaders, SK: sortableTime(begin) }),
  hour: (lane: number, hour: number): string =>
    lane === 0 ? join(prefix, String(hour)) : join(prefix, String(hour), String(lane)),
} as const;

/** Reads the lane back out of the key of a head. */
export function laneOf({ SK }: Key): number {
  return Number(part(SK, 1));
}

/** Reads the time back out of the key of an entry. */
export function entryTimeOf({ SK }: Key): number {
  return Number(SK);
}
