import type { Integer } from './api/json.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB'] as const;

/** Bytes in human units of 1,000, such as `1.21 TB`. */
export function humanBytes(bytes: Integer): string {
  let value = Number(bytes);
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

const grouped = new Intl.NumberFormat('en');

/** An exact integer with grouped digits. */
export function exactInteger(value: Integer): string {
  return grouped.format(value);
}

/**
 * Reads a date of the service, which writes several forms, all in UTC; undefined for anything else.
 */
export function readDate(text: string | null | undefined): Date | undefined {
  if (!text) return undefined;
  const iso = /^\d{4}-\d\d-\d\d[ T]/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text);
  const date = new Date(iso ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A date in the reader's zone and language. */
export function localDate(date: Date): string {
  return localTime.format(date);
}

const localSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The time of day in the reader's zone, to the second. */
export function localClock(date: Date): string {
  return localSeconds.format(date);
}

const localMinutes = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** The time of day in the reader's zone, to the minute. */
export function localTimeOfDay(time: number): string {
  return localMinutes.format(time);
}

/** A date in UTC, to the second. */
export function utcDate(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Units with their length in seconds, and the length of the next finer one. */
const steps = [
  ['day', 86_400, 3_600],
  ['hour', 3_600, 60],
  ['minute', 60, 1],
] as const;

/** The distance of a moment from now in words, to the nearest unit, such as `in 3 days` or `2 hours ago`. */
export function fromNow(date: Date, now = Date.now()): string {
  const seconds = Math.abs(date.getTime() - now) / 1000;
  const direction = date.getTime() < now ? -1 : 1;
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length, finer] of steps) {
    // A value that is rounded to a whole unit counts as one: an hour, not 60 minutes.
    if (Math.round(seconds / finer) * finer >= length) {
      return words.format(direction * Math.round(seconds / length), unit);
    }
  }
  return words.format(direction * Math.round(seconds), 'second');
}

/** A noun with its number: `1 file`, `2 files`. */
export function counted(count: Integer, noun: string): string {
  return `${exactInteger(count)} ${noun}${Number(count) === 1 ? '' : noun.endsWith('y') ? 'ies' : 's'}`.replace(
    /yies$/,
    'ies',
  );
}

/** Splits `scope:name`; the first colon ends the scope. Undefined without one. */
export function splitDid(text: string): { scope: string; name: string } | undefined {
  const at = text.indexOf(':');
  return at < 1 || at === text.length - 1 ? undefined : { scope: text.slice(0, at), name: text.slice(at + 1) };
}

/** Quotes a word for a POSIX shell, where that is needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
