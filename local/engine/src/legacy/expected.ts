import type { Condition } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { combineTests, type ConditionalOperator } from './combine.ts';
import { type ComparisonOperator, invalidParametersError, testOf } from './comparison.ts';

/** The condition on one attribute. */
export interface ExpectedAttribute {
  readonly Value?: AttributeValue | undefined;
  readonly Exists?: boolean | undefined;
  readonly ComparisonOperator?: ComparisonOperator | undefined;
  readonly AttributeValueList?: readonly AttributeValue[] | undefined;
}

/** An Expected parameter: conditions by attribute names. */
export type ExpectedConditions = Readonly<Record<string, ExpectedAttribute>>;

/**
 * The condition of an Expected parameter.
 *
 * @throws ValidationException if it is invalid.
 */
export function conditionOfExpected(
  expected: ExpectedConditions,
  operator: ConditionalOperator | undefined,
): Condition {
  const tests = new Map<string, Test>();
  for (const [name, attribute] of Object.entries(expected)) tests.set(name, testOfExpected(name, attribute));
  return combineTests(tests, operator, 'Expected');
}

function testOfExpected(name: string, attribute: ExpectedAttribute): Test {
  const { Value, Exists, ComparisonOperator: operator, AttributeValueList } = attribute;
  if (operator !== undefined) return testOf(name, operator, listArguments(name, operator, attribute));
  if (AttributeValueList !== undefined) {
    throw refuse(
      name,
      Value === undefined
        ? 'AttributeValueList can only be used with a ComparisonOperator'
        : 'Value and AttributeValueList cannot be used together',
    );
  }
  if (Exists === false) {
    if (Value !== undefined) throw refuse(name, 'Value cannot be used when Exists is false');
    return testOf(name, 'NULL', []);
  }
  if (Value === undefined) throw refuse(name, `Value must be provided when Exists is ${Exists ?? null}`);
  return testOf(name, 'EQ', [Value]);
}

function listArguments(
  name: string,
  operator: ComparisonOperator,
  { Value, Exists, AttributeValueList }: ExpectedAttribute,
): readonly AttributeValue[] {
  if (Exists !== undefined) throw refuse(name, 'Exists and ComparisonOperator cannot be used together');
  if (Value !== undefined && AttributeValueList !== undefined) {
    throw refuse(name, 'Value and AttributeValueList cannot be used together');
  }
  if (AttributeValueList !== undefined) return AttributeValueList;
  if (Value !== undefined) return [Value];
  if (operator === 'NULL' || operator === 'NOT_NULL') return [];
  throw refuse(name, `Value or AttributeValueList must be used with ComparisonOperator: ${operator}`);
}

const refuse = (name: string, reason: string) => invalidParametersError(`${reason} for Attribute: ${name}`);
