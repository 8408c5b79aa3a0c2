import type { Route } from './route.ts';

/** Whether a route takes the header `Idempotency-Key`: it changes the catalogue on behalf of an account. */
export function takesKey({ method, permission, reads }: Route): boolean {
  return method !== 'GET' && permission !== 'open' && reads !== true;
}

/** The longest key, in characters. */
export const longestKey = 255;

/** The header as the reference explains it. */
export const keyDescription =
  `A text of the caller's own for this request, such as a UUID, of 1 to ${longestKey} characters; plain, or in double ` +
  'quotes. For 24 hours a repeat with the same key has no further effect: it gets the first answer once more.';

/** Says of an answer that it was given before: the request was a repeat. */
export const replayedHeader = 'Idempotent-Replayed';
