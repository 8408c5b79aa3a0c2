import { invalid, unreadable } from '../errors.ts';

/** The words of SerializationException. */
export const messages = {
  /** Of a scalar where a structure, list or map belongs. */
  field: 'Unexpected field type',
  /** The same in a list or map. */
  member: 'Unexpected value type in payload',
  /** Of an object where it does not belong. */
  structure: 'Start of structure or map found where not expected',
  /** Of a list where it does not belong. */
  collection: (type: string) => `Unrecognized collection type ${type}`,
} as const;

const attributeValue = 'com.amazonaws.dynamodb.v20120810.AttributeValue';

/** Levels of lists and maps that a value may have. */
export const mostLevels = 31;

/** The error of a value with lists and maps nested too deep. */
export const nestedTooDeep = () =>
  invalid(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );

/** Whether a value is an object of JSON. */
export function isObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/**
 * Reads a text.
 *
 * @throws SerializationException when it is none.
 */
export function readText(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  throw unreadable(describeScalar(raw, 'String') ?? misplaced(raw, 'class java.lang.String'));
}

/** Texts that DynamoDB takes for booleans. */
const flagTexts = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/**
 * Reads a boolean, or one of the texts that DynamoDB takes for one.
 *
 * @throws SerializationException when it is none.
 */
export function readFlag(raw: unknown): boolean {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw === 'string') {
    const known = flagTexts.get(raw.toLowerCase());
    if (known === undefined) throw unreadable('Unexpected token received from parser');
    return known;
  }
  throw unreadable(describeScalar(raw, 'Boolean') ?? misplaced(raw, 'class java.lang.Boolean'));
}

/**
 * Reads the JSON types of a value of an attribute.
 *
 * @param scalar the message for a scalar in its place.
 * @param level the levels of lists and maps down to it.
 * @returns the value as it came.
 * @throws SerializationException when they are wrong; ValidationException when it is nested too deep.
 */
export function readValue(raw: unknown, scalar: string, level: number): unknown {
  if (!isObject(raw)) {
    throw unreadable(Array.isArray(raw) ? messages.collection(`class ${attributeValue}`) : scalar);
  }
  for (const type of Object.keys(raw)) {
    const content = raw[type];
    if (content !== null) readContent(type, content, level);
  }
  return raw;
}

/**
 * Reads the JSON types of attributes with their values, as `readValue` does.
 *
 * @returns the map as it came.
 */
export function readValues(raw: unknown, scalar: string, level: number): unknown {
  if (!isObject(raw)) {
    throw unreadable(
      Array.isArray(raw) ? messages.collection(`java.util.Map<java.lang.String, ${attributeValue}>`) : scalar,
    );
  }
  for (const name of Object.keys(raw)) {
    if (raw[name] !== null) readValue(raw[name], messages.member, level);
  }
  return raw;
}

function readContent(type: string, content: unknown, level: number): void {
  switch (type) {
    case 'S':
    case 'N':
      readText(content);
      return;
    case 'B':
      readBinary(content);
      return;
    case 'BOOL':
    case 'NULL':
      readFlag(content);
      return;
    case 'SS':
    case 'NS':
      readMembers(content, readText);
      return;
    case 'BS':
      readMembers(content, readBinary);
      return;
    case 'L':
      if (level > mostLevels) throw nestedTooDeep();
      readList(content, level + 1);
      return;
    case 'M':
      if (level > mostLevels) throw nestedTooDeep();
      readValues(content, messages.field, level + 1);
  }
}

function readList(raw: unknown, level: number): void {
  for (const one of checkList(raw)) if (one !== null) readValue(one, messages.member, level);
}

function readMembers(raw: unknown, read: (one: unknown) => unknown): void {
  for (const one of checkList(raw)) if (one !== null) read(one);
}

function checkList(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  throw unreadable(isObject(raw) ? messages.structure : messages.field);
}

function readBinary(raw: unknown): void {
  if (typeof raw !== 'string') {
    throw unreadable(
      typeof raw === 'object'
        ? misplaced(raw, 'class java.nio.ByteBuffer')
        : 'only base-64-encoded strings are convertible to bytes',
    );
  }
  if (raw.length % 4 !== 0) {
    throw unreadable(`Base64 encoded length is expected a multiple of 4 bytes but found: ${raw.length}`);
  }
  if (raw !== '') readDigits(raw);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The value of each digit of base64 by its code; -1 of any other character. */
const digits = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)));

function readDigits(text: string): void {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const last = text.length - padding - 1;
  // The last digit of a padded text has bits that belong to no byte.
  const unused = padding === 2 ? 0b1111 : padding === 1 ? 0b11 : 0;
  if (((digits[text.charCodeAt(last)] ?? -1) & unused) !== 0) {
    throw unreadable('Invalid last non-pad Base64 character dectected');
  }
  for (let i = 0; i <= last; i += 1) {
    if ((digits[text.charCodeAt(i)] ?? -1) < 0) throw unreadable(`Invalid Base64 character: '${text.charAt(i)}'`);
  }
}

function describeScalar(raw: unknown, type: string): string | undefined {
  if (typeof raw === 'boolean') return `${raw ? 'TRUE' : 'FALSE'}_VALUE cannot be converted to ${type}`;
  if (typeof raw === 'number') {
    return `${Number.isInteger(raw) ? 'NUMBER' : 'DECIMAL'}_VALUE cannot be converted to ${type}`;
  }
  return undefined;
}

const misplaced = (raw: unknown, type: string) => (Array.isArray(raw) ? messages.collection(type) : messages.structure);
