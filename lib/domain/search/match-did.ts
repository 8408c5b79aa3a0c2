import { readSpacedNumber } from '../../python/number.ts';
import type { Did } from '../../store/entities/did.ts';
import { parseDate } from '../../time.ts';
import { matchesGlob } from '../values/glob.ts';
import type { Criterion, ComparisonOperator } from './read-criterion.ts';
import { readColumn } from './search-columns.ts';

/** Whether a DID meets all conditions (spec/dids.md 3.3). */
export function matchesCriteria(did: Did, criteria: readonly Criterion[]): boolean {
  return criteria.every((criterion) =>
    criterion.column === undefined ? matchesFree(did.meta, criterion) : matchesColumn(did, criterion),
  );
}

/** Columns compare as in SQL, except that `ne` also matches a missing value. */
function matchesColumn(did: Did, { key, operator, value, pattern, text = '' }: Criterion): boolean {
  const actual = readColumn(did, key);
  if (operator === 'contains') return typeof actual === 'string' && actual.includes(text);
  if (value === null) return operator === 'ne' ? actual !== null : operator === 'eq' && actual === null;
  if (actual === null) return operator === 'ne';
  if (pattern !== undefined) return matchesGlob(String(actual), pattern) === (operator === 'eq');
  return compare(actual, operator, value);
}

/** Free metadata compares by the type of the value: number, boolean or text. A DID without the key never matches. */
function matchesFree(meta: Did['meta'], criterion: Criterion): boolean {
  const { key, operator, value, pattern, text = '' } = criterion;
  const actual = Object.hasOwn(meta, key) ? meta[key] : undefined;
  if (operator === 'contains') {
    if (typeof actual === 'string') return actual.includes(text);
    return Array.isArray(actual) && actual.some((one) => matchesFree({ [key]: one }, { ...criterion, operator: 'eq' }));
  }
  if (value === null) return (operator === 'ne') === (actual !== undefined && actual !== null);
  if (actual === undefined || actual === null) return false;
  if (pattern !== undefined) return typeof actual === 'string' && matchesGlob(actual, pattern) === (operator === 'eq');
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = typeof actual === 'string' ? readSpacedNumber(actual) : actual;
    return isNumber(number) && compare(number, operator, value);
  }
  if (typeof value === 'string' && typeof actual === 'string') {
    const [left, right] = [parseDate(actual), parseDate(value)];
    if (left !== undefined && right !== undefined) return compare(left, operator, right);
    // As with numbers: a text that is no date is neither before nor after one.
    return (right === undefined || operator === 'eq' || operator === 'ne') && compare(actual, operator, value);
  }
  return typeof actual === typeof value && compare(actual as boolean, operator, value);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

type Comparable = string | number | bigint | boolean;

function compare(actual: Comparable, operator: ComparisonOperator, value: Comparable): boolean {
  switch (operator) {
    case 'eq':
      return isNumber(actual) && isNumber(value) ? !(actual < value) && !(actual > value) : actual === value;
    case 'ne':
      return !compare(actual, 'eq', value);
    case 'gt':
      return actual > value;
    case 'gte':
      return actual >= value;
    case 'lt':
      return actual < value;
    case 'lte':
      return actual <= value;
  }
}
