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

/** Operators by which a key can be found. */
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
 * @throws ValidationException when it is not valid, or does not fit the key.
 */
export function keyConditionOfConditions(conditions: KeyConditions, keys: KeyAttributes): KeyCondition {
  return matchTerms(listTerms(conditions), keys);
}

/**
 * Lists the terms of a KeyConditions parameter; this needs no table.
 *
 * @throws ValidationException when it is not valid whatever the key is.
 */
export function listTerms(conditions: KeyConditions): readonly KeyTerm[] {
  const terms = Object.entries(conditions).map(([name, { ComparisonOperator, AttributeValueList: values = [] }]) => {
    checkArguments(ComparisonOperator, values);
    return { name, operator: keyOperators[ComparisonOperator], values };
  });
  requireTermCount(terms);
  return terms;
}
