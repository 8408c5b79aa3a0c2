import type { Route } from './route.ts';

/** Whether a route accepts the header `Idempotency-Key`: it changes the catalogue on behalf of an account. */
export function acceptsIdempotencyKey({ method, permission, reads, isKeyless }: Route): boolean {
  return method !== 'GET' && permission !== 'open' && reads !== true && isKeyless !== true;
}

/** The longest key, in characters. */
export const maxKeyCharacters = 255;

/** The description of the header in the reference. */
export const keyDescription =
  `A text of the caller's own for this request, such as a UUID, of 1 to ${maxKeyCharacters} characters; plain, or in double ` +
  'quotes. For 24 hours a repeat with the same key has no further effect: it gets the first answer once more.';

/** The answer is a stored one: the request repeated an earlier one. */
export const replayedHeader = 'Idempotent-Replayed';
