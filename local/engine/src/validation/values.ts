import { contradictionError, validationError } from '../errors.ts';
import { type AttributeValue, emptyItem, type Item } from '../values/attribute-value.ts';
import { normaliseNumber } from '../values/number.ts';
import { isObject, maxDepth, nestedTooDeepError, readFlag } from './reading-values.ts';

/** The message for a value without a type. */
const noType = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes';

/** The message for a value with two types. */
const twoTypes =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes';

const falseNull = 'Null attribute value types must have the value of true';
const emptyBinarySet = 'Binary sets should not be empty';
const emptySet = (kind: string) => `An ${kind} set  may not be empty`;

/** The messages that DynamoDB prefixes with `The provided starting key is invalid: `; others stay unchanged. */
export const messagesOfStartingKeys: ReadonlySet<string> = new Set([
  noType,
  twoTypes,
  ...[falseNull, emptySet('string'), emptyBinarySet].map((what) => contradictionError(what).message),
]);

/**
 * The error of a write request in a batch that does not have exactly one action. DynamoDB has no message of its own for
 * it.
 */
export const notOneTypeError = () => validationError(twoTypes);

/**
 * Checks an attribute value with valid JSON types, and normalises it to its stored form.
 *
 * @throws ValidationException if it does not have exactly one type, or has invalid content.
 */
export function checkValue(value: unknown): AttributeValue {
  return checkAt(value, 1);
}

/**
 * Checks attributes with their values, like `checkValue`.
 *
 * @throws ValidationException like `checkValue`, and for a name that is empty or too long.
 */
export function checkItem(item: unknown): Item {
  return checkMembers(item as Readonly<Record<string, unknown>>, 1);
}

const maxNameBytes = 65_535;

/**
 * Checks the name of an attribute.
 *
 * @throws ValidationException if it is empty or too long.
 */
export function checkAttributeName(name: string): void {
  if (name === '') throw validationError('Empty attribute name');
  if (name.length * 3 > maxNameBytes && Buffer.byteLength(name) > maxNameBytes) {
    throw validationError('Attribute name is too large, must be less than 65536 bytes');
  }
}

function checkMembers(members: Readonly<Record<string, unknown>>, level: number): Item {
  const item = emptyItem();
  for (const name in members) {
    checkAttributeName(name);
    item[name] = checkAt(members[name], level);
  }
  return item;
}

function checkAt(value: unknown, level: number): AttributeValue {
  if (isOnlyText(value)) return value;
  let checked: AttributeValue | undefined;
  let types = 0;
  if (isObject(value)) {
    for (const type in value) {
      const content = value[type];
      const found = content === null || content === undefined ? undefined : checkContent(type, content, level);
      if (found === undefined) continue;
      checked = found;
      types += 1;
    }
  }
  if (checked === undefined) throw validationError(noType);
  if (types > 1) throw validationError(twoTypes);
  return checked;
}

/** Whether a value is a text and nothing else, as most are: it needs no copy. */
function isOnlyText(value: unknown): value is { S: string } {
  if (!isObject(value) || typeof value['S'] !== 'string') return false;
  for (const type in value) if (type !== 'S') return false;
  return true;
}

/** Checks the content of a value; undefined for an unknown type, which DynamoDB ignores. */
function checkContent(type: string, content: unknown, level: number): AttributeValue | undefined {
  switch (type) {
    case 'S':
      return { S: content as string };
    case 'N':
      return { N: normaliseNumber(content as string) };
    case 'B':
      return { B: content as string };
    case 'BOOL':
      return { BOOL: readFlag(content) };
    case 'NULL':
      if (!readFlag(content)) throw contradictionError(falseNull);
      return { NULL: true };
    case 'SS':
      return { SS: checkTexts(content as readonly unknown[]) };
    case 'NS':
      return { NS: checkNumbers(content as readonly unknown[]) };
    case 'BS':
      return { BS: checkBinaries(content as readonly unknown[]) };
    case 'L':
      if (level > maxDepth) throw nestedTooDeepError();
      return { L: (content as readonly unknown[]).map((one) => checkAt(one, level + 1)) };
    case 'M':
      if (level > maxDepth) throw nestedTooDeepError();
      return { M: checkMembers(content as Readonly<Record<string, unknown>>, level + 1) };
    default:
      return undefined;
  }
}

function checkTexts(members: readonly unknown[]): string[] {
  const texts = checkPresent(members, 'string');
  if (hasDuplicates(texts)) throw contradictionError(`Input collection [${texts.join(', ')}] contains duplicates.`);
  return texts;
}

function checkNumbers(members: readonly unknown[]): string[] {
  const numbers = checkPresent(members, 'number').map(normaliseNumber);
  if (hasDuplicates(numbers)) throw validationError('Input collection contains duplicates');
  return numbers;
}

function checkBinaries(members: readonly unknown[]): string[] {
  if (members.length === 0) throw contradictionError(emptyBinarySet);
  const binaries = checkPresent(members, 'binary');
  if (hasDuplicates(binaries)) {
    throw contradictionError(`Input collection [${binaries.join(', ')}]of type BS contains duplicates.`);
  }
  return binaries;
}

function checkPresent(members: readonly unknown[], kind: string): string[] {
  if (members.length === 0) throw contradictionError(emptySet(kind));
  if (members.includes(null)) throw contradictionError(`An ${kind} set may not have a null ${kind} as a member`);
  return members.slice() as string[];
}

const hasDuplicates = (members: readonly string[]) => members.length > 1 && new Set(members).size < members.length;
