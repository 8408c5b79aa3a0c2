import { type Condition, type ConditionSource, conditionOf } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';

/** How several conditions are combined. */
export type ConditionalOperator = 'AND' | 'OR';

/**
 * Combines the tests of several attributes to one condition.
 *
 * @param operator - undefined means AND.
 */
export function combineTests(
  tests: ReadonlyMap<string, Test>,
  operator: ConditionalOperator | undefined,
  source: ConditionSource,
): Condition {
  const all = [...tests.values()];
  const test: Test =
    operator === 'OR' ? (item) => all.some((one) => one(item)) : (item) => all.every((one) => one(item));
  return conditionOf(
    test,
    [...tests.keys()].map((name) => [name]),
    source,
  );
}
