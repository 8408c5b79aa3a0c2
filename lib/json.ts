import { randomUUID } from 'node:crypto';

import { parseInteger } from './integer.ts';

/** `JSON` as of ES2025: reviver context and raw JSON, which the type library does not know yet. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  stringify(value: unknown, replacer: (key: string, value: unknown) => unknown): string;
  rawJSON(text: string): unknown;
}
const exact = JSON as unknown as ExactJson;

/** Sixteen digits in a row, or a number with an exponent that does not make it smaller. */
const mayHoldBigInteger = /\d{16}|\d[eE]\+?\d+\s*(?:[,}\]]|$)/;
const integer = /^-?\d+$/;

/** From here on JavaScript writes numbers with an exponent, which read as the same numbers again. */
const exponential = 1e21;

/** The longest integer in digits, as in Python: the time to read one grows with the square of its length. */
const longestInteger = 4_300;

/**
 * Parses JSON; integers beyond 2^53 come back as exact bigints. So do floats that are such integers, up to 10^21: of those
 * JavaScript would write shortened digits, which are another integer.
 *
 * @throws SyntaxError when the text is not JSON, or holds an integer of more than 4,300 digits.
 */
export function parseJson(text: string): unknown {
  if (!mayHoldBigInteger.test(text)) return JSON.parse(text);
  return exact.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (!integer.test(source)) return isShortened(value) ? BigInt(value) : value;
    if (source.length > longestInteger) throw new SyntaxError(`an integer of ${source.length} digits`);
    return parseInteger(source);
  });
}

function isShortened(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < exponential;
}

/** What stands for {@link unlimited} until the text is written; no data can hold it. */
const unlimitedMark = `unlimited ${randomUUID()}`;
let holdsUnlimited = false;

/** The class of {@link unlimited}. */
export class Unlimited {
  toJSON(): string {
    holdsUnlimited = true;
    return unlimitedMark;
  }
}

/** No limit: on the wire the bare token `Infinity`, which is no JSON but what Rucio's clients read (spec/access.md 0.5). */
export const unlimited = new Unlimited();

/**
 * Writes JSON as Rucio's wire wants it: bigints in full, {@link unlimited} as `Infinity`, everything but ASCII escaped
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

const nonAscii = /[\u0080-\uffff]/;
const everyNonAscii = /[\u0080-\uffff]/g;
const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
