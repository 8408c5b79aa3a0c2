import { readFloat } from './number.ts';

const special = /^[+-]?(?:inf|infinity|nan)$/i;

/**
 * Parses a number as Python's float does: infinity and not-a-number in any case, surrounding blanks ignored
 * (spec/rses.md 5.3); undefined for any other text.
 */
export function parsePythonFloat(text: string): number | undefined {
  const bare = text.trim();
  if (special.test(bare)) return Number(bare.replace(/inf.*/i, 'Infinity'));
  return readFloat(bare);
}
