import type { Condition } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { combineTests, type ConditionalOperator } from './combine.ts';
import { type ComparisonOperator, testOf } from './comparison.ts';

/** The condition on one attribute. */
export interface ExpectedAttribute {
  readonly Value?: AttributeValue | undefined;
  readonly Exists?: boolean | undefined;
  readonly ComparisonOperator?: ComparisonOperator | undefined;
  readonly AttributeValueList?: readonly AttributeValue[] | undefined;
}

/** An Expected parameter: conditions by attribute names. */
export type ExpectedConditions = Readonly<Record<string, ExpectedAttribute>>;

/** The condition of a valid Expected parameter. */
export function conditionOfExpected(
  expected: ExpectedConditions,
  operator: ConditionalOperator | undefined,
): Condition {
  const tests = new Map<string, Test>();
  for (const [name, attribute] of Object.entries(expected)) tests.set(name, testOfExpected(name, attribute));
  return combineTests(tests, operator, 'Expected');
}

function testOfExpected(name: string, attribute: ExpectedAttribute): Test {
  const { Value, Exists, ComparisonOperator, AttributeValueList = Value === undefined ? [] : [Value] } = attribute;
  return testOf(name, ComparisonOperator ?? (Exists === false ? 'NULL' : 'EQ'), AttributeValueList);
}
