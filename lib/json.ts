import { randomUUID } from 'node:crypto';

import { parseInteger } from './integer.ts';
import { hasEscapedName, parseNamed } from './json-names.ts';

/** `JSON` of ES2025, with reviver context and raw JSON; the type library lacks both. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  stringify(value: unknown, replacer: (key: string, value: unknown) => unknown): string;
  rawJSON(text: string): unknown;
}
const exact = JSON as unknown as ExactJson;

/** Sixteen digits in a row, or a number with an exponent that does not make it smaller. */
const mayHoldBigInteger = /\d{16}|\d[eE]\+?\d+\s*(?:[,}\]]|$)/;
const integer = /^-?\d+$/;

/** From here on JavaScript writes numbers with an exponent, so parsing them again gives the same number. */
const firstExponential = 1e21;

/** The longest integer in digits, as in Python; parsing takes quadratic time. */
const maxIntegerDigits = 4_300;

/**
 * Parses JSON; integers beyond 2^53 become exact bigints. So do floats with an integer value beyond 2^53, up to 10^21:
 * JavaScript would write them with rounded digits, that is as other integers.
 *
 * @throws SyntaxError for text that is not JSON, and for an integer of more than 4,300 digits.
 */
export function parseJson(text: string): unknown {
  if (!mayHoldBigInteger.test(text)) return parseNamed(text);
  if (hasEscapedName(text)) return parseNamed(text, readNumber);
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? readNumber(source) : value,
  );
}

function readNumber(source: string): number | bigint {
  if (!integer.test(source)) {
    const value = Number(source);
    return isShortened(value) ? BigInt(value) : value;
  }
  if (source.length > maxIntegerDigits) throw new SyntaxError(`an integer of ${source.length} digits`);
  return parseInteger(source);
}

function isShortened(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < firstExponential;
}

/** Placeholder of {@link unlimited} in the text; random, so that no data contains it. */
const unlimitedMark = `unlimited ${randomUUID()}`;
let holdsUnlimited = false;

/** The class of {@link unlimited}. */
export class Unlimited {
  toJSON(): string {
    holdsUnlimited = true;
    return unlimitedMark;
  }
}

/**
 * No limit. On the wire it is the bare token `Infinity`, which is not JSON but what Rucio's clients read
 * (spec/access.md 0.5).
 */
export const unlimited = new Unlimited();

/**
 * Writes JSON as Rucio does: bigints in full, {@link unlimited} as `Infinity`, every non-ASCII character escaped
 * (spec/dids.md 1.5).
 */
export function toJson(value: unknown): string {
  let text: string;
  holdsUnlimited = false;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    text = exact.stringify(value, (_key, item) => (typeof item === 'bigint' ? exact.rawJSON(item.toString()) : item));
  }
  if (holdsUnlimited) text = text.replaceAll(`"${unlimitedMark}"`, 'Infinity');
  return nonAscii.test(text) ? text.replaceAll(everyNonAscii, escape) : text;
}

/** A JSON value for a message: a text as it is, anything else as JSON. `String` fails for `{"toString": null}`. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value);
}

const nonAscii = /[\u0080-\uffff]/;
const everyNonAscii = /[\u0080-\uffff]/g;
const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
