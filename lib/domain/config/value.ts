import type { ConfigValue } from '../../contract/schemas/config.ts';
import { readNumber } from '../../python-number.ts';

const truths = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

/**
 * What the text of an option means: a truth, a number in Python's syntax, or itself (spec/access.md 4.2). What JSON has no
 * number for stays a text.
 */
export function readConfigValue(text: string): ConfigValue {
  const truth = truths.get(text.toLowerCase());
  if (truth !== undefined) return truth;
  const number = readNumber(text.trim());
  return number === undefined || number === Infinity || number === -Infinity ? text : number;
}

/** The text that keeps a value of JSON; undefined for what is no single value. */
export function configText(value: unknown): string | undefined {
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
