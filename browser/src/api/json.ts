/** An integer of the wire: exact, so large ones are bigints. */
export type Integer = number | bigint;

/** `JSON.parse` with the source of a value, which the type library lacks; older browsers pass no context. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;
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
  const clean = text.includes('Infinity') && !isJson(text) ? text.replaceAll(bareInfinity, '$11e999') : text;
  if (!mayHoldBigInteger.test(clean)) return JSON.parse(clean);
  return parseWith(clean, (_key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? 0)
      : value,
  );
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
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
