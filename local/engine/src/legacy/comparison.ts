import type { Test } from '../expressions/operators.ts';
import { beginsWith, contains, isComparisonTrue } from '../expressions/value-tests.ts';
import { attributeOf, type AttributeValue } from '../values/attribute-value.ts';

/** An operator of the legacy parameters that expressions have replaced. */
export type ComparisonOperator =
  | 'EQ'
  | 'NE'
  | 'LE'
  | 'LT'
  | 'GE'
  | 'GT'
  | 'IN'
  | 'BETWEEN'
  | 'NULL'
  | 'NOT_NULL'
  | 'CONTAINS'
  | 'NOT_CONTAINS'
  | 'BEGINS_WITH';

/** A condition on one attribute. */
export interface Comparison {
  readonly ComparisonOperator: ComparisonOperator;
  readonly AttributeValueList?: readonly AttributeValue[] | undefined;
}

/** The test of a condition on one attribute. */
export function testOf(name: string, operator: ComparisonOperator, values: readonly AttributeValue[]): Test {
  return (item) => compare(operator, attributeOf(item, name), values);
}

const comparators = { EQ: '=', NE: '<>', LE: '<=', LT: '<', GE: '>=', GT: '>' } as const;

function compare(
  operator: ComparisonOperator,
  value: AttributeValue | undefined,
  values: readonly AttributeValue[],
): boolean {
  const [first, second] = values;
  switch (operator) {
    case 'NULL':
      return value === undefined;
    case 'NOT_NULL':
      return value !== undefined;
    case 'IN':
      return values.some((member) => isComparisonTrue('=', value, member));
    case 'BETWEEN':
      return isComparisonTrue('>=', value, first) && isComparisonTrue('<=', value, second);
    case 'CONTAINS':
      return value !== undefined && first !== undefined && contains(value, first);
    case 'NOT_CONTAINS':
      return value !== undefined && first !== undefined && !contains(value, first);
    case 'BEGINS_WITH':
      return value !== undefined && first !== undefined && beginsWith(value, first);
    default:
      return isComparisonTrue(comparators[operator], value, first);
  }
}
