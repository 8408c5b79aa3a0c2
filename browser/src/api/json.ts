import { hasEscapedName, parseNamed } from '../../../lib/json-names.ts';

/** An integer of the wire: exact, so large ones are bigints. */
export type Integer = number | bigint;

/** `JSON.parse` with the source of a value, which the type library lacks; older browsers pass no context. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
// oxlint-disable-next-line no-restricted-properties -- only for texts without escaped names
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

const mayHoldBigInteger = /\d{16}/;
const bareInfinity = /([:[,]\s*)(-?Infinity)(?=\s*[,\]}]|$)/g;

/**
 * Parses JSON of the service: integers beyond 2^53 become bigints, and the bare token `Infinity`, which Rucio uses for
 * "no limit", becomes the number.
 *
 * @throws SyntaxError for text that is not JSON.
 */
export function parseJson(text: string): unknown {
  return parseExact(text.includes('Infinity') && !isJson(text) ? text.replaceAll(bareInfinity, '$11e999') : text);
}

/**
 * Parses JSON; integers beyond 2^53 become bigints.
 *
 * @throws SyntaxError for text that is not JSON.
 */
export function parseExact(text: string): unknown {
  if (!mayHoldBigInteger.test(text)) return parseNamed(text);
  if (hasEscapedName(text)) return parseNamed(text, readNumber);
  return parseWith(text, (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? readNumber(context.source) : value,
  );
}

function readNumber(source: string): Integer {
  const value = Number(source);
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Writes JSON, with bigints in full; indented to be read. */
export function writeJson(value: unknown, indent?: number): string {
  const marks: string[] = [];
  const mark = (item: bigint) => `\u0000${marks.push(item.toString()) - 1}\u0000`;
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? mark(item) : item), indent);
  return marks.length === 0
    ? text
    : text.replaceAll(/"\\u0000(\d+)\\u0000"/g, (_whole, index: string) => marks[Number(index)] ?? 'null');
}

function isJson(text: string): boolean {
  try {
    parseNamed(text);
    return true;
  } catch {
    return false;
  }
}
