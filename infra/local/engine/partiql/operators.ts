import type { Operator } from './syntax.ts';

/** Symbols of operators that compare. */
export const comparators: ReadonlyMap<string, Operator> = new Map([
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/** Operators that make values of values, from those that bind least to those that bind most. */
export const levels: readonly (readonly Operator[])[] = [['||'], ['+', '-'], ['*', '/', '%']];

/** Keywords that stand between operands, so that no operand begins with them. */
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
