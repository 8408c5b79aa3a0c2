import { invalid } from '../errors.ts';
import { type AttributeValue, typeOf } from '../values/attribute-value.ts';
import { type KeyAttribute, type KeyAttributes, listHashAttributes, listRangeAttributes } from '../values/key.ts';
import { sizeOf } from './value-tests.ts';

export type { KeyAttributes };

/** An operator by which a key can be found. */
export type KeyOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with';

/** A condition on the key of a table or an index. */
export interface KeyCondition {
  hash: AttributeValue;
  range?: { operator: KeyOperator; values: readonly AttributeValue[] };
  /** Of a key of several attributes: the values of all hash attributes, and of the first range attributes. */
  composite?: { hash: readonly AttributeValue[]; range: readonly AttributeValue[] };
}

/** A condition on one attribute. */
export interface KeyTerm {
  readonly name: string;
  /** Undefined for an operator by which no key can be found. */
  readonly operator: KeyOperator | undefined;
  readonly values: readonly AttributeValue[];
}

/** Terms that a condition on a key of at most one attribute of each kind has. */
const mostTerms = 2;

/**
 * Checks how many terms a condition has.
 *
 * @throws ValidationException when there are more than keys have attributes, or none.
 */
export function requireTermCount(terms: readonly KeyTerm[], most = mostTerms): void {
  if (terms.length < 1 || terms.length > most) throw invalid('Conditions can be of length 1 or 2 only');
}

/**
 * Checks that there are terms on the hash key.
 *
 * @throws ValidationException when one is missing, or there are more terms than key attributes.
 */
export function requireHashTerms(terms: readonly KeyTerm[], keys: KeyAttributes): void {
  if (keys.more === undefined) findHashTerm(terms, keys);
  else listHashTerms(terms, keys);
}

/**
 * Makes one condition of the terms, which may come in any order.
 *
 * @throws ValidationException when the terms do not fit the key.
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
  throw invalid(`HASH key attributes ${listNames(missing)} must have equality conditions specified in the query`);
}

/** Equality on all hash attributes, and on the first range attributes but the last that has a term. */
function matchComposite(terms: readonly KeyTerm[], keys: KeyAttributes): KeyCondition {
  const hash = listHashTerms(terms, keys);
  const attributes = listRangeAttributes(keys);
  if (terms.length > hash.length + attributes.length) throw notSupported();
  const byRange = attributes.map(({ name }) => terms.find((term) => term.name === name));
  const count = byRange.findLastIndex((term) => term !== undefined) + 1;
  const open = attributes.slice(0, Math.max(count - 1, 0)).filter((_, at) => byRange[at]?.operator !== '=');
  if (open.length > 0) {
    throw invalid(
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
  if (operator === undefined) throw invalid('Attempted conditional constraint is not an indexable operation');
  for (const value of values) {
    if (typeOf(value) !== type) {
      throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
    }
    if (sizeOf(value) === 0) {
      throw invalid(
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
          `${type === 'S' ? 'string' : 'binary'} value. Key: ${name}`,
      );
    }
  }
  return operator;
}

const notSupported = () => invalid('Query key condition not supported');

const missed = ({ name }: KeyAttribute) => invalid(`Query condition missed key schema element: ${name}`);
