import { contradictionError, validationError } from '../errors.ts';
import { type AttributeValue, typeOf, type ValueType } from '../values/attribute-value.ts';
import { compareValues } from '../values/compare.ts';
import type { Input } from './parameters.ts';
import { checkAttributeName, checkValue } from './values.ts';

interface Condition {
  ComparisonOperator: string;
  AttributeValueList?: unknown;
}

/**
 * Checks legacy conditions by attribute, and replaces their values by normalised ones.
 *
 * @throws ValidationException for an invalid one.
 */
export function checkConditions(conditions: unknown): void {
  if (conditions === undefined) return;
  const byAttribute = conditions as Readonly<Record<string, Condition>>;
  for (const name of Object.keys(byAttribute)) {
    checkAttributeName(name);
    const condition = byAttribute[name] as Condition;
    if (condition.AttributeValueList === undefined) {
      checkArguments(condition.ComparisonOperator, []);
      continue;
    }
    const values = checkList(condition.AttributeValueList);
    checkArguments(condition.ComparisonOperator, values);
    condition.AttributeValueList = values;
  }
}

interface Expectation {
  Value?: unknown;
  Exists?: boolean;
  ComparisonOperator?: string;
  AttributeValueList?: unknown;
}

/**
 * Checks the Expected parameter of a write, and replaces its values by normalised ones.
 *
 * @throws ValidationException if it is invalid.
 */
export function checkExpected({ Expected }: Input): void {
  if (Expected === undefined) return;
  const byAttribute = Expected as Readonly<Record<string, Expectation>>;
  for (const name of Object.keys(byAttribute)) {
    checkAttributeName(name);
    const expectation = byAttribute[name] as Expectation;
    checkMembers(name, expectation);
    if (expectation.Value !== undefined) expectation.Value = checkValue(expectation.Value);
    if (expectation.AttributeValueList !== undefined) {
      expectation.AttributeValueList = checkList(expectation.AttributeValueList);
    }
    if (expectation.ComparisonOperator !== undefined) {
      const { Value, AttributeValueList = Value === undefined ? [] : [Value] } = expectation;
      checkArguments(expectation.ComparisonOperator, AttributeValueList as AttributeValue[]);
    }
  }
}

function checkMembers(name: string, { Value, Exists, ComparisonOperator, AttributeValueList }: Expectation): void {
  const refuse = (what: string) => contradictionError(`${what} for Attribute: ${name}`);
  if (ComparisonOperator !== undefined && Exists !== undefined) {
    throw refuse('Exists and ComparisonOperator cannot be used together');
  }
  if (Value !== undefined && AttributeValueList !== undefined) {
    throw refuse('Value and AttributeValueList cannot be used together');
  }
  if (ComparisonOperator !== undefined) {
    const takesNone = argumentsOf[ComparisonOperator]?.most === 0;
    if (Value === undefined && AttributeValueList === undefined && !takesNone) {
      throw refuse(`Value or AttributeValueList must be used with ComparisonOperator: ${ComparisonOperator}`);
    }
    return;
  }
  if (AttributeValueList !== undefined) {
    throw refuse('AttributeValueList can only be used with a ComparisonOperator');
  }
  if (Exists === false && Value !== undefined) throw refuse('Value cannot be used when Exists is false');
  if (Exists !== false && Value === undefined) {
    throw refuse(`Value must be provided when Exists is ${Exists === undefined ? 'null' : 'true'}`);
  }
}

/**
 * Checks that a ConditionalOperator has at least two conditions.
 *
 * @param conditions the conditions, or the Expected parameter.
 * @throws ValidationException if it has not.
 */
export function checkConditionalOperator({ ConditionalOperator }: Input, conditions: unknown): void {
  if (ConditionalOperator === undefined) return;
  const count = Object.keys(conditions ?? {}).length;
  if (count === 0) throw validationError('ConditionalOperator cannot be used without Filter or Expected');
  if (count === 1) {
    throw validationError('ConditionalOperator can only be used when Filter or Expected has two or more elements');
  }
}

interface AttributeUpdate {
  Action?: string;
  Value?: unknown;
}

const deletable: ReadonlySet<ValueType> = new Set<ValueType>(['SS', 'NS', 'BS']);
const addable: ReadonlySet<ValueType> = new Set<ValueType>(['N', 'SS', 'NS', 'BS', 'L']);

/**
 * Checks legacy updates, and replaces their values by normalised ones.
 *
 * @throws ValidationException for an invalid one.
 */
export function checkAttributeUpdates({ AttributeUpdates }: Input): void {
  if (AttributeUpdates === undefined) return;
  const byAttribute = AttributeUpdates as Readonly<Record<string, AttributeUpdate>>;
  for (const name of Object.keys(byAttribute)) {
    checkAttributeName(name);
    const update = byAttribute[name] as AttributeUpdate;
    if (update.Value === undefined) {
      if (update.Action === 'DELETE') continue;
      throw contradictionError('Only DELETE action is allowed when no attribute value is specified');
    }
    const value = checkValue(update.Value);
    const type = typeOf(value);
    if (update.Action === 'DELETE' && !deletable.has(type)) {
      throw contradictionError(`DELETE action with value is not supported for the type ${type}`);
    }
    if (update.Action === 'ADD' && !addable.has(type)) {
      throw contradictionError(`ADD action is not supported for the type ${type}`);
    }
    update.Value = value;
  }
}

/** The number and the types of an operator's arguments. */
interface Arguments {
  readonly least: number;
  readonly most: number;
  /** Absent: all types. */
  readonly types?: ReadonlySet<ValueType>;
}

const ordered: ReadonlySet<ValueType> = new Set<ValueType>(['S', 'N', 'B']);
const scalar: ReadonlySet<ValueType> = new Set<ValueType>(['S', 'N', 'B', 'BOOL', 'NULL']);
const prefix: ReadonlySet<ValueType> = new Set<ValueType>(['S', 'B']);

const argumentsOf: Readonly<Record<string, Arguments>> = {
  EQ: { least: 1, most: 1 },
  NE: { least: 1, most: 1 },
  LT: { least: 1, most: 1, types: ordered },
  LE: { least: 1, most: 1, types: ordered },
  GT: { least: 1, most: 1, types: ordered },
  GE: { least: 1, most: 1, types: ordered },
  IN: { least: 1, most: Infinity, types: ordered },
  BETWEEN: { least: 2, most: 2, types: ordered },
  CONTAINS: { least: 1, most: 1, types: scalar },
  NOT_CONTAINS: { least: 1, most: 1, types: scalar },
  BEGINS_WITH: { least: 1, most: 1, types: prefix },
  NULL: { least: 0, most: 0 },
  NOT_NULL: { least: 0, most: 0 },
};

function checkArguments(operator: string, values: readonly AttributeValue[]): void {
  const { least, most, types } = argumentsOf[operator] as Arguments;
  if (values.length < least || values.length > most) {
    throw contradictionError(`Invalid number of argument(s) for the ${operator} ComparisonOperator`);
  }
  const [first, second] = values;
  if (first === undefined) return;
  const type = typeOf(first);
  if (types?.has(type) === false) {
    throw contradictionError(`ComparisonOperator ${operator} is not valid for ${type} AttributeValue type`);
  }
  if (values.some((value) => typeOf(value) !== type)) {
    throw contradictionError('AttributeValues inside AttributeValueList must be of same type');
  }
  if (operator === 'BETWEEN' && second !== undefined && (compareValues(first, second) ?? 0) > 0) {
    throw validationError(
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    );
  }
}

const checkList = (values: unknown): AttributeValue[] => (values as readonly unknown[]).map(checkValue);
