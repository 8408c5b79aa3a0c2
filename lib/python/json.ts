import { parseJson, Unlimited } from '../json.ts';

/** The keys of objects, written: records of a list have the same keys. Long ones are data, such as PFNs. */
const [maxKeys, maxKeyLength] = [2_000, 32];
const writtenKeys = new Map<string, string>();

/** Longer texts are left to the engine, which is faster there. */
const maxScannedLength = 64;
const nonAscii = /[\u007f-\uffff]/;
const everyNonAscii = /[\u007f-\uffff]/g;

/**
 * Writes JSON as Python's `json.dumps` does, and so Rucio: a blank behind `,` and `:`, every character that is not ASCII escaped
 * (spec/dids.md 1.5), integers in full, and the numbers that JSON does not know as `Infinity`, `-Infinity`, `NaN`.
 * Programs search such texts without parsing them (docs/adr/0024-form-of-json.md).
 */
export function toPythonJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return writeText(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : writeObject(value);
    default:
      return 'null';
  }
}

function writeObject(value: object): string {
  if (Array.isArray(value)) return writeArray(value);
  if (value instanceof Unlimited) return 'Infinity';
  let text = '';
  // Faster than `Object.entries`, which makes a list and a pair for each member; records inherit nothing.
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    text += (text === '' ? '{' : ', ') + writeKey(key) + toPythonJson(member);
  }
  return text === '' ? '{}' : `${text}}`;
}

function writeArray(list: readonly unknown[]): string {
  let text = '';
  for (const element of list) text += (text === '' ? '[' : ', ') + toPythonJson(element);
  return text === '' ? '[]' : `${text}]`;
}

function writeKey(key: string): string {
  if (key.length > maxKeyLength) return `${writeText(key)}: `;
  const known = writtenKeys.get(key);
  if (known !== undefined) return known;
  const written = `${writeText(key)}: `;
  if (writtenKeys.size < maxKeys) writtenKeys.set(key, written);
  return written;
}

function writeText(text: string): string {
  if (text.length <= maxScannedLength && isPlain(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  return nonAscii.test(quoted) ? quoted.replaceAll(everyNonAscii, escape) : quoted;
}

/** Whether a text consists of printable ASCII characters that need no escape. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
  }
  return true;
}

const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text, or a number that JSON does not know. */
const textOrBareNumber = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g;

/**
 * Reads JSON as Python and Rucio write it: the bare numbers `Infinity`, `-Infinity` and `NaN` are read as texts.
 *
 * @throws SyntaxError for text that is neither.
 */
export function readPythonJson(text: string): unknown {
  if (!/Infinity|NaN/.test(text)) return parseJson(text);
  return parseJson(text.replaceAll(textOrBareNumber, (part) => (part.startsWith('"') ? part : `"${part}"`)));
}
