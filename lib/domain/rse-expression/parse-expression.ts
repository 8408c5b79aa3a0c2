import { fail } from '../../errors.ts';
import type { Comparator, Expression, Operator, Primitive } from './expression.ts';

/** The left operand and the operator before the next term. */
interface Before {
  readonly left: Expression;
  readonly operator: Operator;
}

/**
 * Parses an RSE expression in linear time, without recursion (spec/rses.md 5.1).
 *
 * @throws InvalidRSEExpression (400): first for unbalanced parentheses, then for the first character that breaks the
 *   grammar. The message names its position, counted from 1.
 */
export function parseExpression(text: string): Expression {
  checkParentheses(text);
  /** The part before each open parenthesis. */
  const outside: (Before | undefined)[] = [];
  let before: Before | undefined;
  for (let at = 0; ; at += 1) {
    for (; text[at] === '('; at += 1) {
      outside.push(before);
      before = undefined;
    }
    const { read, end } = readPrimitive(text, at);
    let term = join(before, read);
    for (at = end; text[at] === ')'; at += 1) term = join(outside.pop(), term);
    if (at === text.length) return term;
    before = { left: term, operator: readOperator(text, at) };
  }
}

function join(before: Before | undefined, right: Expression): Expression {
  return before === undefined ? right : { kind: 'operation', ...before, right };
}

function checkParentheses(text: string): void {
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') open.push(at);
    else if (text[at] === ')' && open.pop() === undefined) {
      fail('InvalidRSEExpression', `Problem with parentheses. The one at character ${at + 1} closes none.`);
    }
  }
  const unclosed = open.pop();
  if (unclosed !== undefined) {
    fail('InvalidRSEExpression', `Problem with parentheses. The one at character ${unclosed + 1} is never closed.`);
  }
}

const tagAt = /[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*/y;
const keyAt = /[A-Za-z0-9._-]+(?=([=<>]))/y;
const valueAt = /[A-Za-z0-9_-]+/y;

function readPrimitive(text: string, at: number): { readonly read: Primitive; readonly end: number } {
  if (text[at] === '*') return { read: { kind: 'everything' }, end: at + 1 };
  const [key, comparator] = match(keyAt, text, at);
  if (key !== undefined) {
    const valueStart = at + key.length + 1;
    const [value = failAt(text, valueStart, 'a value')] = match(valueAt, text, valueStart);
    const read = { kind: 'comparison', key, comparator: comparator as Comparator, value } as const;
    return { read, end: valueStart + value.length };
  }
  const [tag = failAt(text, at, 'an RSE, a tag or a comparison')] = match(tagAt, text, at);
  return { read: { kind: 'tag', key: tag }, end: at + tag.length };
}

const operators: readonly (string | undefined)[] = ['|', '&', '\\'] satisfies Operator[];

function readOperator(text: string, at: number): Operator {
  return operators.includes(text[at]) ? (text[at] as Operator) : failAt(text, at, 'an operator or the end');
}

function match(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

function failAt(text: string, at: number, expected: string): never {
  const found = at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0)) : 'the end';
  return fail(
    'InvalidRSEExpression',
    `Expression does not comply to RSE Expression syntax: expected ${expected} at character ${at + 1}, found ${found}`,
  );
}
