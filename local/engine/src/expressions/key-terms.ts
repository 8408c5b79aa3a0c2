import { contradictionError, validationError } from '../errors.ts';
import { type AttributeValue, typeOf } from '../values/attribute-value.ts';
import {
  emptyKeyError,
  type KeyAttribute,
  type KeyAttributes,
  listHashAttributes,
  listRangeAttributes,
} from '../values/key.ts';
import { sizeOf } from './value-tests.ts';

export type { KeyAttributes };

/** An operator that is allowed for keys. */
export type KeyOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with';

/** A condition on the key of a table or an index. */
export interface KeyCondition {
  hash: AttributeValue;
  range?: { operator: KeyOperator; values: readonly AttributeValue[] };
  /** For a key of several attributes: the values of all hash attributes, and of the leading range attributes. */
  composite?: { hash: readonly AttributeValue[]; range: readonly AttributeValue[] };
}

/** A condition on one attribute. */
export interface KeyTerm {
  readonly name: string;
  /** Undefined for an operator that is not allowed for keys. */
  readonly operator: KeyOperator | undefined;
  readonly values: readonly AttributeValue[];
}

/** The most terms for a key with at most one attribute of each kind. */
const maxTerms = 2;

/**
 * Checks the number of terms.
 *
 * @throws ValidationException if there are none, or more than key attributes.
 */
export function requireTermCount(count: number, most = maxTerms): void {
  if (count < 1 || count > most) throw validationError('Conditions can be of length 1 or 2 only');
}

/**
 * Checks that the hash key has its terms.
 *
 * @throws ValidationException if one is missing, or there are more terms than key attributes.
 */
export function requireHashTerms(terms: readonly KeyTerm[], keys: KeyAttributes): void {
  if (keys.more === undefined) findHashTerm(terms, keys);
  else listHashTerms(terms, keys);
}

/**
 * Combines terms, in any order, to a condition.
 *
 * @throws ValidationException if they do not match the key.
 */
export function matchTerms(terms: readonly KeyTerm[], keys: KeyAttributes): KeyCondition {
  if (keys.more !== undefined) return matchComposite(terms, keys);
  const hash = findHashTerm(terms, keys);
  requireIndexable(hash, keys.hash);
  if (hash.operator !== '=') throw notSupported();
  const other = terms.find((term) => term !== hash);
  const condition: KeyCondition = { hash: hash.values[0] as AttributeValue };
  if (other === undefined || keys.range === undefined) return condition;
  if (other.name !== keys.range.name) throw missed(keys.range);
  return { ...condition, range: { operator: requireIndexable(other, keys.range), values: other.values } };
}

function findHashTerm(terms: readonly KeyTerm[], keys: KeyAttributes): KeyTerm {
  if (terms.length > 1 && keys.range === undefined) throw notSupported();
  const hash = terms.find(({ name }) => name === keys.hash.name);
  if (hash === undefined) throw missed(keys.hash);
  return hash;
}

function listHashTerms(terms: readonly KeyTerm[], keys: KeyAttributes): readonly KeyTerm[] {
  const attributes = listHashAttributes(keys);
  const found = attributes.flatMap(
    ({ name }) => terms.find((term) => term.name === name && term.operator === '=') ?? [],
  );
  if (found.length === attributes.length) return found;
  const missing = attributes.filter(({ name }) => !found.some((term) => term.name === name));
  throw validationError(
    `HASH key attributes ${listNames(missing)} must have equality conditions specified in the query`,
  );
}

/**
 * Requires equality for all hash attributes and the leading range attributes; the last range term may use another
 * operator.
 */
function matchComposite(terms: readonly KeyTerm[], keys: KeyAttributes): KeyCondition {
  const hash = listHashTerms(terms, keys);
  const attributes = listRangeAttributes(keys);
  if (terms.length > hash.length + attributes.length) throw notSupported();
  const byRange = attributes.map(({ name }) => terms.find((term) => term.name === name));
  const count = byRange.findLastIndex((term) => term !== undefined) + 1;
  const open = attributes.slice(0, Math.max(count - 1, 0)).filter((_, at) => byRange[at]?.operator !== '=');
  if (open.length > 0) {
    throw validationError(
      `RANGE key attributes ${listNames(open)} must have equality conditions specified in the query because a ` +
        `condition is present on key attribute ${byRange[count - 1]?.name}`,
    );
  }
  if (terms.length > hash.length + count) throw missed(attributes[count] ?? keys.hash);
  const matched = [...hash, ...byRange.slice(0, count)] as readonly KeyTerm[];
  const all = [...listHashAttributes(keys), ...attributes];
  for (const [at, term] of matched.entries()) requireIndexable(term, all[at] as KeyAttribute);
  const values = matched.filter(({ operator }) => operator === '=').map((term) => term.values[0] as AttributeValue);
  const last = matched.at(-1);
  return {
    hash: values[0] as AttributeValue,
    composite: { hash: values.slice(0, hash.length), range: values.slice(hash.length) },
    ...(last?.operator === undefined || last.operator === '='
      ? {}
      : { range: { operator: last.operator, values: last.values } }),
  };
}

const listNames = (attributes: readonly KeyAttribute[]) => attributes.map(({ name }) => name).join(', ');

function requireIndexable({ operator, values }: KeyTerm, { name, type }: KeyAttribute): KeyOperator {
  if (operator === undefined) throw validationError('Attempted conditional constraint is not an indexable operation');
  for (const value of values) {
    if (typeOf(value) !== type) {
      throw wrongConditionTypeError();
    }
    if (sizeOf(value) === 0) throw emptyKeyError({ name, type });
  }
  return operator;
}

/** The error of a condition whose value has another type than the key. */
export const wrongConditionTypeError = () => contradictionError('Condition parameter type does not match schema type');

const notSupported = () => validationError('Query key condition not supported');

const missed = ({ name }: KeyAttribute) => validationError(`Query condition missed key schema element: ${name}`);
