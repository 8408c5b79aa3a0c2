import { invalid } from '../errors.ts';
import { type Condition, type ConditionSource, conditionOf } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';

/** How several conditions count together. */
export type ConditionalOperator = 'AND' | 'OR';

/**
 * Makes one condition of the tests of several attributes.
 *
 * @param operator - undefined means AND.
 * @throws ValidationException when an operator is given for fewer than two tests.
 */
export function combineTests(
  tests: ReadonlyMap<string, Test>,
  operator: ConditionalOperator | undefined,
  source: ConditionSource,
): Condition {
  checkConditionalOperator(operator, tests.size);
  const all = [...tests.values()];
  const test: Test =
    operator === 'OR' ? (item) => all.some((one) => one(item)) : (item) => all.every((one) => one(item));
  return conditionOf(
    test,
    [...tests.keys()].map((name) => [name]),
    source,
  );
}

/**
 * Checks that there is something for a ConditionalOperator to combine.
 *
 * @param count - how many conditions the request has.
 * @throws ValidationException when there are fewer than two.
 */
export function checkConditionalOperator(operator: ConditionalOperator | undefined, count: number): void {
  if (operator === undefined || count > 1) return;
  throw invalid(
    count === 0
      ? 'ConditionalOperator cannot be used without Filter or Expected'
      : 'ConditionalOperator can only be used when Filter or Expected has two or more elements',
  );
}
