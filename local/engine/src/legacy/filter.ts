import type { Condition } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';
import { combineTests, type ConditionalOperator } from './combine.ts';
import { type Comparison, testOf } from './comparison.ts';

/** A QueryFilter or a ScanFilter: conditions by attribute names. */
export type FilterConditions = Readonly<Record<string, Comparison>>;

/**
 * The condition of a valid QueryFilter or ScanFilter.
 *
 * @param kind - the name of the parameter.
 */
export function conditionOfFilter(
  filter: FilterConditions,
  operator: ConditionalOperator | undefined,
  kind: 'QueryFilter' | 'ScanFilter',
): Condition {
  const tests = new Map<string, Test>();
  for (const [name, { ComparisonOperator, AttributeValueList = [] }] of Object.entries(filter)) {
    tests.set(name, testOf(name, ComparisonOperator, AttributeValueList));
  }
  return combineTests(tests, operator, kind);
}
