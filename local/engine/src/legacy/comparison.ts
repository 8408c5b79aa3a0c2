import { validationError } from '../errors.ts';
import type { Test } from '../expressions/operators.ts';
import { beginsWith, contains, isComparisonTrue } from '../expressions/value-tests.ts';
import { attributeOf, type AttributeValue, typeOf } from '../values/attribute-value.ts';
import { compareValues } from '../values/compare.ts';

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

/** The minimum and maximum number of arguments, for operators that do not take exactly one. */
const argumentCounts: Partial<Record<ComparisonOperator, readonly [number, number]>> = {
  NULL: [0, 0],
  NOT_NULL: [0, 0],
  BETWEEN: [2, 2],
  IN: [1, Infinity],
};

const ordered = ['S', 'N', 'B'];
const members = ['S', 'N', 'B', 'BOOL', 'NULL'];

/** The allowed types of arguments; operators that are not listed allow all. */
const argumentTypes: Partial<Record<ComparisonOperator, readonly string[]>> = {
  LE: ordered,
  LT: ordered,
  GE: ordered,
  GT: ordered,
  IN: ordered,
  BETWEEN: ordered,
  CONTAINS: members,
  NOT_CONTAINS: members,
  BEGINS_WITH: ['S', 'B'],
};

/** The error of parameters that do not match each other. */
export function invalidParametersError(reason: string) {
  return validationError(`One or more parameter values were invalid: ${reason}`);
}

/** @throws ValidationException if the arguments do not match the operator. */
export function checkArguments(operator: ComparisonOperator, values: readonly AttributeValue[]): void {
  const [fewest, most] = argumentCounts[operator] ?? [1, 1];
  if (values.length < fewest || values.length > most) {
    throw invalidParametersError(`Invalid number of argument(s) for the ${operator} ComparisonOperator`);
  }
  const allowed = argumentTypes[operator];
  const types = values.map(typeOf);
  const wrong = types.find((type) => allowed?.includes(type) === false);
  if (wrong !== undefined) {
    throw invalidParametersError(`ComparisonOperator ${operator} is not valid for ${wrong} AttributeValue type`);
  }
  if (types.some((type) => type !== types[0])) {
    throw invalidParametersError('AttributeValues inside AttributeValueList must be of same type');
  }
  if (operator === 'BETWEEN' && (compareValues(...(values as [AttributeValue, AttributeValue])) ?? 0) > 0) {
    throw validationError(
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    );
  }
}

/**
 * The test of a condition on one attribute.
 *
 * @throws ValidationException if the arguments do not match the operator.
 */
export function testOf(name: string, operator: ComparisonOperator, values: readonly AttributeValue[]): Test {
  checkArguments(operator, values);
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
