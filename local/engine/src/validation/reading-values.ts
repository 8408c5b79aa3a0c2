import { validationError, serializationError } from '../errors.ts';

/** The messages of SerializationException. */
export const messages = {
  /** For a scalar instead of a structure, list or map. */
  field: 'Unexpected field type',
  /** For a scalar instead of a structure, list or map, inside of a list or map. */
  member: 'Unexpected value type in payload',
  /** For a misplaced object. */
  structure: 'Start of structure or map found where not expected',
  /** For a misplaced list. */
  collection: (type: string) => `Unrecognized collection type ${type}`,
} as const;

const attributeValue = 'com.amazonaws.dynamodb.v20120810.AttributeValue';

/** The deepest nesting of lists and maps in a value. */
export const maxDepth = 31;

/** The error of a value that nests too deep. */
export const nestedTooDeepError = () =>
  validationError(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );

/** Whether a value is a JSON object. */
export function isObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/**
 * Reads a text.
 *
 * @throws SerializationException if it is not a text.
 */
export function readText(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  throw serializationError(describeScalar(raw, 'String') ?? misplaced(raw, 'class java.lang.String'));
}

/** Texts that DynamoDB accepts as booleans. */
const flagTexts = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/**
 * Reads a boolean, or a text that DynamoDB accepts as one.
 *
 * @throws SerializationException if it is neither.
 */
export function readFlag(raw: unknown): boolean {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw === 'string') {
    const known = flagTexts.get(raw.toLowerCase());
    if (known === undefined) throw serializationError('Unexpected token received from parser');
    return known;
  }
  throw serializationError(describeScalar(raw, 'Boolean') ?? misplaced(raw, 'class java.lang.Boolean'));
}

/**
 * Checks the JSON types of an attribute value.
 *
 * @param scalar the message for a scalar in its place.
 * @param level the depth of enclosing lists and maps.
 * @returns the value unchanged.
 * @throws SerializationException for wrong types; ValidationException if it nests too deep.
 */
export function readValue(raw: unknown, scalar: string, level: number): unknown {
  if (!isObject(raw)) {
    throw serializationError(Array.isArray(raw) ? messages.collection(`class ${attributeValue}`) : scalar);
  }
  for (const type in raw) {
    const content = raw[type];
    if (content !== null) readContent(type, content, level);
  }
  return raw;
}

/**
 * Checks the JSON types of attributes with their values, like `readValue`.
 *
 * @returns the map unchanged.
 */
export function readValues(raw: unknown, scalar: string, level: number): unknown {
  if (!isObject(raw)) {
    throw serializationError(
      Array.isArray(raw) ? messages.collection(`java.util.Map<java.lang.String, ${attributeValue}>`) : scalar,
    );
  }
  for (const name in raw) {
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
      if (level > maxDepth) throw nestedTooDeepError();
      readList(content, level + 1);
      return;
    case 'M':
      if (level > maxDepth) throw nestedTooDeepError();
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
  throw serializationError(isObject(raw) ? messages.structure : messages.field);
}

function readBinary(raw: unknown): void {
  if (typeof raw !== 'string') {
    throw serializationError(
      typeof raw === 'object'
        ? misplaced(raw, 'class java.nio.ByteBuffer')
        : 'only base-64-encoded strings are convertible to bytes',
    );
  }
  if (raw.length % 4 !== 0) {
    throw serializationError(`Base64 encoded length is expected a multiple of 4 bytes but found: ${raw.length}`);
  }
  if (raw !== '') readDigits(raw);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The value of each base64 digit by its character code; -1 for all other characters. */
const digits = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)));

function readDigits(text: string): void {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const last = text.length - padding - 1;
  // The last digit of a padded text has unused bits.
  const unused = padding === 2 ? 0b1111 : padding === 1 ? 0b11 : 0;
  if (((digits[text.charCodeAt(last)] ?? -1) & unused) !== 0) {
    throw serializationError('Invalid last non-pad Base64 character dectected');
  }
  for (let i = 0; i <= last; i += 1) {
    if ((digits[text.charCodeAt(i)] ?? -1) < 0)
      throw serializationError(`Invalid Base64 character: '${text.charAt(i)}'`);
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
