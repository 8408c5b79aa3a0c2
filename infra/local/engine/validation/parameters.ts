import { EngineError, invalid } from '../errors.ts';
import { emptyItem, type Item } from '../values/attribute-value.ts';
import { checkAttributeName, checkValue } from './values.ts';

/** A request whose JSON types and constraints are right. */
export type Input = Record<string, unknown>;

/** The parameters of an operation that are expressions, and their older counterparts. */
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
 * Checks that a request does not mix expressions and older parameters, and has names and values only for expressions.
 *
 * @throws ValidationException when it does not.
 */
export function checkMixture(input: Input, parameters: Parameters): void {
  const expressions = hasAny(input, parameters.expressions);
  if (expressions && hasAny(input, parameters.legacy)) checkLegacy(input, parameters);
  if (input.ExpressionAttributeNames !== undefined && !expressions) {
    throw invalid('ExpressionAttributeNames can only be specified when using expressions');
  }
  const { withValues } = parameters;
  if (input.ExpressionAttributeValues !== undefined && !hasAny(input, withValues)) {
    throw invalid(
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
  // A query may have KeyConditions beside other expressions than that for the key.
  const mixed = present(legacy).filter(
    (name) => name !== 'KeyConditions' || input.KeyConditionExpression !== undefined,
  );
  if (mixed.length === 0) return;
  throw invalid(
    'Can not use both expression and non-expression parameters in the same request: ' +
      `Non-expression parameters: {${mixed.join(', ')}} Expression parameters: {${present(expressions).join(', ')}}`,
  );
}

/**
 * Checks the names and values for expressions, and that the expression that DynamoDB parses first is not empty. Each
 * other one is to be found empty when it is parsed: DynamoDB has parsed those before it by then.
 *
 * @throws ValidationException when they are not right.
 */
export function checkExpressionAttributes(input: Input, { parsed }: Parameters): void {
  checkNames(input.ExpressionAttributeNames);
  if (input.ExpressionAttributeValues !== undefined) {
    input.ExpressionAttributeValues = checkValues(input.ExpressionAttributeValues as Input);
  }
  const first = parsed.find((name) => input[name] !== undefined);
  if (first !== undefined && input[first] === '') {
    throw invalid(`Invalid ${first}: The expression can not be empty;`);
  }
}

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
      throw invalid(`ExpressionAttributeNames contains invalid value: null for key ${key}`);
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
  if (keys.length === 0) throw invalid(`${parameter} must not be empty`);
  for (const key of keys) {
    if (!pattern.test(key)) throw invalid(`${parameter} contains invalid key: Syntax error; key: "${key}"`);
  }
}

/** The error of a wrong name or value, with the place where it is. */
function locate(error: unknown, parameter: string, key: string): unknown {
  if (!(error instanceof EngineError)) return error;
  return invalid(`${parameter} contains invalid value: ${error.message} for key ${key}`);
}

/**
 * Checks the names of the attributes that a request asks for.
 *
 * @throws ValidationException when one is empty or too long, or is there twice.
 */
export function checkAttributesToGet({ AttributesToGet }: Input): void {
  if (AttributesToGet === undefined) return;
  const names = AttributesToGet as readonly string[];
  const seen = new Set<string>();
  for (const name of names) {
    checkAttributeName(name);
    if (seen.has(name)) {
      throw invalid(`One or more parameter values were invalid: Duplicate value in attribute name: ${name}`);
    }
    seen.add(name);
  }
}
