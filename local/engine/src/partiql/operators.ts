import type { Operator } from './syntax.ts';

/** Symbols of comparison operators. */
export const comparators: ReadonlyMap<string, Operator> = new Map([
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/** Operators that compute values, from lowest to highest precedence. */
export const levels: readonly (readonly Operator[])[] = [['||'], ['+', '-'], ['*', '/', '%']];

/** Keywords between operands: no operand begins with them. */
export const infixKeywords: ReadonlySet<string> = new Set([
  'and',
  'or',
  'between',
  'in',
  'is',
  'like',
  'union',
  'except',
  'intersect',
]);

/** Whether a symbol is an operator. */
export function isOperator(symbol: string): boolean {
  return comparators.has(symbol) || levels.some((level) => (level as readonly string[]).includes(symbol));
}
