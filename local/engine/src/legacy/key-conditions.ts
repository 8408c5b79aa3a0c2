import type { KeyOperator, KeyTerm } from '../expressions/key-terms.ts';
import type { Comparison, ComparisonOperator } from './comparison.ts';

/** A KeyConditions parameter: conditions by attribute names. */
export type KeyConditions = Readonly<Record<string, Comparison>>;

/** The operators that are allowed for keys. */
const keyOperators: Partial<Record<ComparisonOperator, KeyOperator>> = {
  EQ: '=',
  LE: '<=',
  LT: '<',
  GE: '>=',
  GT: '>',
  BETWEEN: 'BETWEEN',
  BEGINS_WITH: 'begins_with',
};

/** The terms of a valid KeyConditions parameter. */
export function listTerms(conditions: KeyConditions): readonly KeyTerm[] {
  return Object.entries(conditions).map(([name, { ComparisonOperator, AttributeValueList: values = [] }]) => ({
    name,
    operator: keyOperators[ComparisonOperator],
    values,
  }));
}
