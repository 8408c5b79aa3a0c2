import { hash } from 'node:crypto';

import { readNumber } from '../../python/number.ts';
import { parseDate } from '../../time.ts';

/** Longer terms are hashed: a partition key has to hold one beside a scope and a metadata key. */
const maxTermBytes = 200;

/**
 * The term of a metadata value in the keys of the index. Values that a search regards as equal have the same term: `5`,
 * `"5"` and `" 5.0 "` are one number, dates are equal in any spelling. The converse does not hold, so the search compares
 * the values as well (lib/domain/search/match-did.ts).
 *
 * @returns Undefined for null, lists and objects: no search finds them by equality.
 */
export function termOf(value: unknown): string | undefined {
  const text = spell(value);
  if (text === undefined || Buffer.byteLength(text) <= maxTermBytes) return text;
  return `h:${hash('sha256', text)}`;
}

function spell(value: unknown): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return `b:${value}`;
    case 'number':
    case 'bigint':
      return `n:${spellNumber(value)}`;
    case 'string': {
      const number = readNumber(value.trim());
      if (number !== undefined) return `n:${spellNumber(number)}`;
      const date = parseDate(value);
      return date === undefined ? `s:${value}` : `d:${date}`;
    }
    default:
      return undefined;
  }
}

/** An integer in full digits, so that a number equals the bigint of the same value. */
function spellNumber(number: number | bigint): string {
  return typeof number === 'number' && Number.isInteger(number) ? String(BigInt(number)) : String(number);
}
