import { createHash } from 'node:crypto';

import { readNumber } from '../../python-number.ts';
import { parseDate } from '../../time.ts';

/** Bytes of a term that is not hashed: several of them have to fit into a partition key. */
const longestTerm = 200;

/**
 * What stands for a metadata value in the keys of the index. Values that a search takes for equal have the same term; of
 * values with the same term the search looks once more whether they are (lib/domain/search/match.ts): `5`, `"5"` and `"
 * 5.0 "` are one number, dates are equal in any spelling.
 *
 * @returns Undefined for null and for what is no single value: no search finds that by equality.
 */
export function termOf(value: unknown): string | undefined {
  const text = spell(value);
  if (text === undefined || Buffer.byteLength(text) <= longestTerm) return text;
  return `h:${createHash('sha256').update(text).digest('hex')}`;
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

/** A number is equal to a bigint whose digits it has in full, however JavaScript would shorten them. */
function spellNumber(number: number | bigint): string {
  return typeof number === 'number' && Number.isInteger(number) ? String(BigInt(number)) : String(number);
}
