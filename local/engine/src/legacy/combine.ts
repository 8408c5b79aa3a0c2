import { validationError } from '../errors.ts';
import { type Condition, type ConditionSource, conditionOf } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';

/** How several conditions are combined. */
export type ConditionalOperator = 'AND' | 'OR';

/**
 * Combines the tests of several attributes to one condition.
 *
 * @param operator - undefined means AND.
 * @throws ValidationException if an operator is given for fewer than two tests.
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
 * Checks that a ConditionalOperator has conditions to combine.
 *
 * @param count - the number of conditions in the request.
 * @throws ValidationException for fewer than two.
 */
export function checkConditionalOperator(operator: ConditionalOperator | undefined, count: number): void {
  if (operator === undefined || count > 1) return;
  throw validationError(
    count === 0
      ? 'ConditionalOperator cannot be used without Filter or Expected'
      : 'ConditionalOperator can only be used when Filter or Expected has two or more elements',
  );
}
