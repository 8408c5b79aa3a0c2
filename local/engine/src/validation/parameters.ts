import { contradictionError, EngineError, validationError } from '../errors.ts';
import { emptyItem, type Item } from '../values/attribute-value.ts';
import { checkAttributeName, checkValue } from './values.ts';

/** A request with valid JSON types and constraints. */
export type Input = Record<string, unknown>;

/** The expression parameters of an operation, and their legacy counterparts. */
export interface Parameters {
  /** In the order in which DynamoDB names them. */
  readonly legacy: readonly string[];
  /** In the order in which DynamoDB names them. */
  readonly expressions: readonly string[];
  /** The expressions that may contain values, in the order in which DynamoDB names them. */
  readonly withValues: readonly string[];
  /** In the order in which DynamoDB parses them. */
  readonly parsed: readonly string[];
}

/**
 * Checks that a request does not mix expressions and legacy parameters, and has names and values only for expressions.
 *
 * @throws ValidationException if it does.
 */
export function checkMixture(input: Input, parameters: Parameters): void {
  const expressions = hasAny(input, parameters.expressions);
  if (expressions && hasAny(input, parameters.legacy)) checkLegacy(input, parameters);
  if (input.ExpressionAttributeNames !== undefined && !expressions) {
    throw validationError('ExpressionAttributeNames can only be specified when using expressions');
  }
  const { withValues } = parameters;
  if (input.ExpressionAttributeValues !== undefined && !hasAny(input, withValues)) {
    throw validationError(
      `ExpressionAttributeValues can only be specified when using expressions: ${withValues.join(' and ')} ` +
        (withValues.length === 1 ? 'is null' : 'are null'),
    );
  }
}

function hasAny(input: Input, names: readonly string[]): boolean {
  for (const name of names) if (input[name] !== undefined) return true;
  return false;
}

function checkLegacy(input: Input, { legacy, expressions }: Parameters): void {
  const present = (names: readonly string[]) => names.filter((name) => input[name] !== undefined);
  // A query may combine KeyConditions with expressions other than the one for the key.
  const mixed = present(legacy).filter(
    (name) => name !== 'KeyConditions' || input.KeyConditionExpression !== undefined,
  );
  if (mixed.length === 0) return;
  throw validationError(
    'Can not use both expression and non-expression parameters in the same request: ' +
      `Non-expression parameters: {${mixed.join(', ')}} Expression parameters: {${present(expressions).join(', ')}}`,
  );
}

/**
 * Checks the names and values for expressions, and that the expression that DynamoDB parses first is not empty. The
 * others are checked when they are parsed, since DynamoDB then reports errors of earlier ones first.
 *
 * @throws ValidationException for an error.
 */
export function checkExpressionAttributes(input: Input, { parsed }: Parameters): void {
  checkNames(input.ExpressionAttributeNames);
  if (input.ExpressionAttributeValues !== undefined) {
    input.ExpressionAttributeValues = checkValues(input.ExpressionAttributeValues as Input);
  }
  const first = parsed.find((name) => input[name] !== undefined);
  if (first !== undefined && input[first] === '') {
    throw validationError(`Invalid ${first}: The expression can not be empty;`);
  }
}

const maxKeyLength = 255;
const nameKey = /^#\w+$/;
const valueKey = /^:\w+$/;

function checkNames(names: unknown): void {
  if (names === undefined) return;
  const entries = names as Readonly<Record<string, string | null>>;
  const keys = Object.keys(entries);
  checkKeys('ExpressionAttributeNames', keys, nameKey);
  for (const key of keys) {
    const name = entries[key];
    if (name === null || name === undefined) {
      throw validationError(`ExpressionAttributeNames contains invalid value: null for key ${key}`);
    }
    try {
      checkAttributeName(name);
    } catch (error) {
      throw locate(error, 'ExpressionAttributeNames', key);
    }
  }
}

function checkValues(values: Input): Item {
  const keys = Object.keys(values);
  checkKeys('ExpressionAttributeValues', keys, valueKey);
  const checked = emptyItem();
  for (const key of keys) {
    try {
      checked[key] = checkValue(values[key]);
    } catch (error) {
      throw locate(error, 'ExpressionAttributeValues', key);
    }
  }
  return checked;
}

function checkKeys(parameter: string, keys: readonly string[], pattern: RegExp): void {
  if (keys.length === 0) throw validationError(`${parameter} must not be empty`);
  for (const key of keys) {
    if (!pattern.test(key)) throw validationError(`${parameter} contains invalid key: Syntax error; key: "${key}"`);
    // They are ASCII, as the pattern demands.
    if (key.length > maxKeyLength) {
      throw validationError(
        `${parameter} contains invalid key: The expression attribute map contains a key that is too long; size of key: ${key.length}`,
      );
    }
  }
}

/** The error of an invalid name or value, with its position. */
function locate(error: unknown, parameter: string, key: string): unknown {
  if (!(error instanceof EngineError)) return error;
  return validationError(`${parameter} contains invalid value: ${error.message} for key ${key}`);
}

/**
 * Checks the names in AttributesToGet.
 *
 * @throws ValidationException for a name that is empty, too long or repeated.
 */
export function checkAttributesToGet({ AttributesToGet }: Input): void {
  if (AttributesToGet === undefined) return;
  const names = AttributesToGet as readonly string[];
  const seen = new Set<string>();
  for (const name of names) {
    checkAttributeName(name);
    if (seen.has(name)) {
      throw contradictionError(`Duplicate value in attribute name: ${name}`);
    }
    seen.add(name);
  }
}
