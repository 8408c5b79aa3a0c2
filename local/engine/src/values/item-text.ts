import { type AttributeValue, emptyItem, type Item } from './attribute-value.ts';
import { parseNamed } from './json-names.ts';
import { toNative } from './native.ts';

/** An object whose members nobody knows yet. */
type Values = Readonly<Record<string, unknown>>;

/*
 * The JSON text of a stored item, in its plain form: texts, numbers, flags, null, lists and maps are those of JSON. JSON.parse reads it
 * three times as fast as DynamoDB's form, which has an object for each value.
 */

/** The only member of an object that stands for a value without a plain form; it holds the value in DynamoDB's form. */
export const specialMember = '\u0000';

/** How a special value begins in JSON. A text that looks like it has its quotes escaped. */
const specialText = `{${JSON.stringify(specialMember)}:`;

/** The text of an item to store. */
export function printItem(item: Item): string {
  return JSON.stringify(toPlainMembers(item));
}

/** Reads a stored text. */
export function parseItem(text: string): Item {
  return toItem(parseNamed(text) as object);
}

/**
 * Reads attributes with which a stored text begins, without parsing the rest. Dapple's items begin with their keys.
 *
 * @returns undefined if it begins with others, or with values that are no texts or have escapes.
 */
export function readFirstTexts(text: string, names: readonly string[]): Item | undefined {
  const item = emptyItem();
  let at = 0;
  for (const name of names) {
    const start = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:"`;
    if (!text.startsWith(start, at)) return undefined;
    const from = at + start.length;
    const end = text.indexOf('"', from);
    const value = text.slice(from, end);
    if (value.includes('\\')) return undefined;
    item[name] = { S: value };
    at = end + 1;
  }
  return item;
}

/** A stored text in the form of DynamoDB's answers. */
export function showItemText(text: string): string {
  return JSON.stringify(parseItem(text));
}

/** The attribute as it stands in the plain text of an item. */
export function printAttribute(name: string, value: AttributeValue): string {
  return `${JSON.stringify(name)}:${JSON.stringify(toPlain(value))}`;
}

function toPlainMembers(members: Item): Record<string, unknown> {
  const plain = emptyItem() as Record<string, unknown>;
  for (const name in members) plain[name] = toPlain(members[name] as AttributeValue);
  return plain;
}

function toPlain(value: AttributeValue): unknown {
  if ('S' in value) return value.S;
  if ('N' in value) return isExact(value.N) ? Number(value.N) : toSpecial(value);
  if ('BOOL' in value) return value.BOOL;
  if ('NULL' in value) return null;
  if ('L' in value) return value.L.map(toPlain);
  if ('M' in value && !Object.hasOwn(value.M, specialMember)) return toPlainMembers(value.M);
  return toSpecial(value);
}

const toSpecial = (value: AttributeValue) => ({ [specialMember]: value });

/** Integers of up to 15 digits in DynamoDB's notation. */
const shortInteger = /^-?\d{1,15}$/;

/** Whether a number in DynamoDB's notation is the same in JavaScript, and the same text again. */
function isExact(text: string): boolean {
  if (shortInteger.test(text)) return true;
  const number = Number(text);
  return String(number) === text && !Number.isInteger(number);
}

function toItem(members: object): Item {
  const item = emptyItem();
  for (const name in members) item[name] = toValue((members as Values)[name]);
  return item;
}

function toValue(plain: unknown): AttributeValue {
  switch (typeof plain) {
    case 'string':
      return { S: plain };
    case 'number':
      return { N: String(plain) };
    case 'boolean':
      return { BOOL: plain };
  }
  if (plain === null) return { NULL: true };
  if (Array.isArray(plain)) return { L: plain.map(toValue) };
  const members = plain as object;
  return Object.hasOwn(members, specialMember)
    ? ((members as Values)[specialMember] as AttributeValue)
    : { M: toItem(members) };
}

/** Parses JSON that holds items in their plain form, and gives these the values that Dapple's client gives items of DynamoDB's form. */
export function parseNative(text: string): object {
  const parsed = parseNamed(text) as object;
  return text.includes(specialText) ? toNativeMembers(parsed) : parsed;
}

function toNativeMembers(members: object): Values {
  const native: Record<string, unknown> = {};
  for (const name in members) native[name] = ofPlain((members as Values)[name]);
  return native;
}

function ofPlain(plain: unknown): unknown {
  if (typeof plain !== 'object' || plain === null) return plain;
  if (Array.isArray(plain)) return plain.map(ofPlain);
  const special = (plain as Values)[specialMember];
  return special === undefined ? toNativeMembers(plain) : toNative(special);
}
