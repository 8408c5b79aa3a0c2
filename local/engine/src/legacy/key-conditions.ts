import {
  type KeyAttributes,
  type KeyCondition,
  type KeyOperator,
  type KeyTerm,
  matchTerms,
  requireTermCount,
} from '../expressions/key-terms.ts';
import { checkArguments, type Comparison, type ComparisonOperator } from './comparison.ts';

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

/**
 * The condition of a KeyConditions parameter.
 *
 * @throws ValidationException if it is invalid, or does not match the key.
 */
export function keyConditionOfConditions(conditions: KeyConditions, keys: KeyAttributes): KeyCondition {
  return matchTerms(listTerms(conditions), keys);
}

/**
 * Lists the terms of a KeyConditions parameter; needs no table.
 *
 * @throws ValidationException if it is invalid for every key.
 */
export function listTerms(conditions: KeyConditions): readonly KeyTerm[] {
  const terms = Object.entries(conditions).map(([name, { ComparisonOperator, AttributeValueList: values = [] }]) => {
    checkArguments(ComparisonOperator, values);
    return { name, operator: keyOperators[ComparisonOperator], values };
  });
  requireTermCount(terms);
  return terms;
}
