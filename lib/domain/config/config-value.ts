import type { ConfigValue } from '../../contract/schemas/config.ts';
import { readNumber } from '../../python/number.ts';

const booleans = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

/**
 * The value of an option's text: a boolean, a number in Python's syntax, or the text itself (spec/access.md 4.2). Infinity
 * and NaN stay texts, since JSON has no such numbers.
 */
export function readConfigValue(text: string): ConfigValue {
  const boolean = booleans.get(text.toLowerCase());
  if (boolean !== undefined) return boolean;
  const number = readNumber(text.trim());
  return number === undefined || number === Infinity || number === -Infinity ? text : number;
}

/** The stored text of a JSON value; undefined for lists and objects. */
export function toConfigText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return value ? 'True' : 'False';
    case 'number':
    case 'bigint':
      return String(value);
    default:
      return undefined;
  }
}
