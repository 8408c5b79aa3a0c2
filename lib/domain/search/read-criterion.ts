import { fail } from '../../errors.ts';
import { parseInteger } from '../../integer.ts';
import { toJson } from '../../json.ts';
import type { Literal } from '../../python/literal.ts';
import { readNumber } from '../../python/number.ts';
import { parseDate } from '../../time.ts';
import { normaliseGuid } from '../dids/sort-metadata.ts';
import { type Glob, readGlob } from '../values/glob.ts';
import { type ColumnType, searchColumns } from './search-columns.ts';

/** A comparison. */
export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';

/** A comparison, or our extension that a text holds the value, or a list has it as an element. */
export type Operator = ComparisonOperator | 'contains';

/** One condition of a search. */
export interface Criterion {
  /** A column, or a key of the free metadata. */
  readonly key: string;
  /** Absent: the free metadata. */
  readonly column?: ColumnType;
  readonly operator: Operator;
  /** In the type of the column; null: no value. */
  readonly value: string | number | bigint | boolean | null;
  /** With `contains`: the value as the text that a text may hold. */
  readonly text?: string;
  /** The value is a pattern in which `*` and `%` stand for any characters. */
  readonly pattern?: Glob;
}

const operators: ReadonlySet<string> = new Set(['ne', 'gt', 'gte', 'lt', 'lte', 'contains']);

/** Keys that abbreviate a column and an operator. */
const shorthands = new Map([
  ['created_before', 'created_at.lte'],
  ['created_after', 'created_at.gte'],
]);

/**
 * Reads one entry of a filter, `key` or `key.operator` with its value (spec/dids.md 3.2, 3.3).
 *
 * @returns Undefined if the entry excludes nothing.
 * @throws DIDFilterSyntaxError (400) for a value of the wrong type, and for a wildcard with an order operator;
 *   KeyNotFound (404) for an unknown operator, and for `lifetime`.
 */
export function readCriterion(entry: string, given: Literal): Criterion | undefined {
  const [key = '', operator = 'eq', ...more] = (shorthands.get(entry) ?? entry).split('.');
  if (more.length > 0) fail('DIDFilterSyntaxError', 'None');
  if (key === 'lifetime') {
    fail('KeyNotFound', "'lifetime' keyword could not be coerced to model class attribute. Attribute not found.");
  }
  if (operator !== 'eq' && !operators.has(operator)) fail('KeyNotFound', `'${operator}' operator not found.`);
  const column = searchColumns.get(key);
  const value = column === undefined ? readFreeValue(given) : readValue(key, column, given);
  const found = { key, ...(column === undefined ? {} : { column }), operator: operator as Operator, value };
  if (operator === 'contains') return { ...found, text: readContained(found, given) };
  if (typeof value !== 'string' || !/[*%]/.test(value)) return found;
  if (operator !== 'eq' && operator !== 'ne') {
    fail('DIDFilterSyntaxError', 'Wildcards can only be used with equality operators');
  }
  return value === '*' || value === '%' ? undefined : { ...found, pattern: readGlob(value, /[*%]/) };
}

const listOperator = '.in';

/**
 * The alternatives of an entry with our extension `key.in`, each an entry without it; undefined for other entries. A
 * value that is a text separates them by commas.
 *
 * @throws DIDFilterSyntaxError (400) for a value that is no list of scalars.
 */
export function readAlternatives(
  entry: string,
  given: Literal,
): (readonly [entry: string, value: Literal])[] | undefined {
  if (!entry.endsWith(listOperator)) return undefined;
  const key = entry.slice(0, -listOperator.length);
  const values = typeof given === 'string' ? given.split(',') : given;
  if (!Array.isArray(values)) return fail('DIDFilterSyntaxError', `'${entry}' needs a list of values.`);
  if (values.some((value) => typeof value === 'string' && /[*%]/.test(value))) {
    fail('DIDFilterSyntaxError', 'Wildcards can only be used with equality operators');
  }
  return values.map((value) => [key, value]);
}

function readContained({ key, column, value }: Pick<Criterion, 'key' | 'column' | 'value'>, given: Literal): string {
  if (value === null || typeof given === 'object' || (column !== undefined && column !== 'text')) {
    return fail('DIDFilterSyntaxError', `'${key}.contains' needs a value, and a key of texts or lists.`);
  }
  return String(given);
}

function readValue(key: string, column: ColumnType, given: Literal): Criterion['value'] {
  if (given === null || (given === 'None' && column !== 'text')) return null;
  const value = convert(column, given);
  return value ?? fail('DIDFilterSyntaxError', `The value ${toJson(given)} is not valid for the key '${key}'.`);
}

function convert(column: ColumnType, given: Literal): string | number | bigint | boolean | undefined {
  switch (column) {
    case 'text':
      return typeof given === 'object' ? undefined : String(given);
    case 'integer': {
      if (typeof given === 'string')
        return /^[+-]?\d{1,18}$/.test(given.trim()) ? parseInteger(given.trim()) : undefined;
      return typeof given === 'number' || typeof given === 'bigint' ? given : undefined;
    }
    case 'boolean':
      if (given === 0 || given === 1) return given === 1;
      return typeof given === 'string'
        ? booleans.get(given.toLowerCase())
        : typeof given === 'boolean'
          ? given
          : undefined;
    case 'date':
      return typeof given === 'string' ? parseDate(given) : undefined;
    case 'guid':
      return normaliseGuid(given);
  }
}

const booleans = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** Free metadata has no types: a text may stand for a boolean, a number, or itself. */
function readFreeValue(given: Literal): Criterion['value'] {
  if (typeof given === 'object' && given !== null)
    return fail('DIDFilterSyntaxError', 'A filter value must be a scalar.');
  if (typeof given !== 'string') return given;
  if (given === 'None') return null;
  return booleanWords.get(given) ?? readNumber(given) ?? given;
}

const booleanWords = new Map([
  ['True', true],
  ['true', true],
  ['TRUE', true],
  ['False', false],
  ['false', false],
  ['FALSE', false],
]);
