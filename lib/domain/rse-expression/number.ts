import { readNumber } from '../../python-number.ts';

const special = /^[+-]?(?:inf|infinity|nan)$/i;

/**
 * The number that a text says, as Python's float reads it: infinity and not-a-number in any case, blanks around it
 * ignored (spec/rses.md 5.3); undefined when it says none.
 */
export function parseNumber(text: string): number | undefined {
  const bare = text.trim();
  if (special.test(bare)) return Number(bare.replace(/inf.*/i, 'Infinity'));
  const number = readNumber(bare);
  return number === undefined ? undefined : Number(number);
}
