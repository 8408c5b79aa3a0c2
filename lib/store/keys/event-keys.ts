import { hourOf } from '../values/hour.ts';
import { join, type Key, sortableTime } from './key-parts.ts';

/** The first part of the keys below. */
const prefix = 'EVENTS';

/** The keys of the log of events (docs/adr/0012-events.md); times in milliseconds since 1970. */
export const eventKeys = {
  /** Names the last entry. Every append changes it, so that entries have one order. */
  head: { PK: prefix, SK: 'HEAD' } as Key,
  /** No two entries have the same time. */
  entry: (at: number): Key => ({ PK: eventKeys.hour(hourOf(at)), SK: sortableTime(at) }),
  hour: (hour: number): string => join(prefix, String(hour)),
} as const;

/** Reads the time back out of the key of an entry. */
export function entryTimeOf({ SK }: Key): number {
  return Number(SK);
}
