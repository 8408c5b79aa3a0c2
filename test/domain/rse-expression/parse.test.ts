import { describe, expect, it } from 'vitest';

import { evaluateExpression } from '../../../lib/domain/rse-expression/evaluate-expression.ts';
import { parseExpression } from '../../../lib/domain/rse-expression/parse-expression.ts';
import { rseOf } from './fleet.ts';
import { printExpression } from './print-expression.ts';

const syntax = 'Expression does not comply to RSE Expression syntax';
const parentheses = 'Problem with parentheses.';

function messageOf(text: string): string {
  try {
    parseExpression(text);
  } catch (error) {
    expect(error).toMatchObject({ name: 'InvalidRSEExpression' });
    return (error as Error).message;
  }
  throw new Error(`${text.slice(0, 100)} is an expression`);
}

describe('a malformed RSE expression (rses 5.1, 5.5)', () => {
  it.each([
    ['ALPHA_DISK|', 12, 'the end'],
    ['&ALPHA_DISK', 1, '"&"'],
    ['ALPHA_DISK | DELTA', 11, '" "'],
    ['ALPHA_DISK||DELTA', 12, '"|"'],
    ['(ALPHA_DISK)(DELTA)', 13, '"("'],
    ['()', 2, '")"'],
    ['ALPHA_*', 6, '"_"'],
    ['tier<=1', 6, '"="'],
    ['tier=', 6, 'the end'],
    ['freespace>45.5', 13, '"."'],
    ['owner.group', 6, '"."'],
    ['DELTA-', 6, '"-"'],
    ['A__B', 2, '"_"'],
    ['', 1, 'the end'],
    ['*=1', 2, '"="'],
    ['**', 2, '"*"'],
    ['tier!=1', 5, '"!"'],
    ['tier=1=1', 7, '"="'],
    ['a,b', 2, '","'],
    ['A\n', 2, String.raw`"\n"`],
    ['A|é', 3, '"é"'],
    ['A|\u{1F434}', 3, '"\u{1F434}"'],
    ['A&(B|)', 6, '")"'],
    ['_A', 1, '"_"'],
  ])('%j: the message says that character %i is %s', (text, position, found) => {
    const message = messageOf(text);
    expect(message).toMatch(new RegExp(`^${syntax}: expected .* at character ${position}, found `, 'u'));
    expect(message.endsWith(`found ${found}`)).toBe(true);
  });

  it.each([
    ['ALPHA_DISK|', 'an RSE, a tag or a comparison'],
    ['tier=', 'a value'],
    ['A B', 'an operator or the end'],
  ])('%j: the message says that %s was expected', (text, expected) => {
    expect(messageOf(text)).toContain(`: expected ${expected} at character `);
  });

  it.each([
    ['(ALPHA_DISK', `${parentheses} The one at character 1 is never closed.`],
    ['A|((B)', `${parentheses} The one at character 3 is never closed.`],
    [')ALPHA_DISK(', `${parentheses} The one at character 1 closes none.`],
    ['ALPHA_DISK)', `${parentheses} The one at character 11 closes none.`],
  ])('%j: %s', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('unbalanced parentheses are reported before every other error', () => {
    for (const text of ['||)', 'a b(', 'é)', 'rse_type=x|(']) expect(messageOf(text)).toMatch(parentheses);
  });
});

describe('a parsed RSE expression (rses 5.1)', () => {
  it('operators are applied from left to right, parentheses first', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((key) => ({ kind: 'tag', key }));
    const kind = 'operation';
    const ab = { kind, operator: '|', left: a, right: b };
    expect(parseExpression('a|b&c')).toEqual({ kind, operator: '&', left: ab, right: c });
    expect(parseExpression(String.raw`c\((a)|b)`)).toEqual({ kind, operator: '\\', left: c, right: ab });
  });

  it('a comparison takes precedence over a tag', () => {
    const comparison = { kind: 'comparison', comparator: '=' };
    expect(parseExpression('a-b=c-d_')).toEqual({ ...comparison, key: 'a-b', value: 'c-d_' });
    expect(parseExpression('-._=-')).toEqual({ ...comparison, key: '-._', value: '-' });
  });

  it('is printed without redundant parentheses', () => {
    expect(printExpression(parseExpression('((a)|(b))&(((c)))'))).toBe('a|b&c');
    expect(printExpression(parseExpression('a|(b&c)'))).toBe('a|(b&c)');
    expect(printExpression(parseExpression('*'))).toBe('*');
    expect(printExpression(parseExpression('x.y<-1e5'))).toBe('x.y<-1e5');
  });
});

describe('expressions of 100 KB', () => {
  const many = 100_000;
  const live = Array.from({ length: 1000 }, (_value, index) =>
    rseOf(`R${index}`, { attributes: { n: String(index) } }),
  );

  it.each([
    ['unions', `${'A|'.repeat(many / 2)}R7`, 1],
    ['differences of everything', String.raw`*${String.raw`\R1`.repeat(many / 3)}`, 999],
    ['parentheses around one name', `${'('.repeat(many)}R7${')'.repeat(many)}`, 1],
    ['parentheses that nest to the right', `${'(A|'.repeat(many / 3)}R7${')'.repeat(many / 3)}`, 1],
    ['parentheses that nest to the left', `${'('.repeat(many / 3)}R7${'|A)'.repeat(many / 3)}`, 1],
    ['comparisons', `${'n>990|'.repeat(many / 6)}A`, 9],
    ['one name', `${'A'.repeat(many)}|R7`, 1],
    ['one name of many parts', `${'A-'.repeat(many / 2)}A|R7`, 1],
    ['one number', `n<${'1'.repeat(many)}&R7`, 1],
    ['one text that is nearly a number', `n<${'1'.repeat(many)}x|R7`, 1],
    ['one mask', `availability=${'8'.repeat(many)}|R7`, 1],
  ])('%s: parsed, printed and evaluated', (_what, text, count) => {
    const expression = parseExpression(text);
    expect(evaluateExpression(expression, live)).toHaveLength(count);
    expect(printExpression(parseExpression(printExpression(expression)))).toBe(printExpression(expression));
  });

  it.each([
    ['open parentheses', '('.repeat(many), parentheses],
    ['closing parentheses', ')'.repeat(many), parentheses],
    ['empty parentheses', '('.repeat(many) + ')'.repeat(many), syntax],
    ['a name that ends badly', `${'A'.repeat(many)}.`, syntax],
    ['parts that end badly', 'A-'.repeat(many / 2), syntax],
    ['a key without a value', `${'_.'.repeat(many / 2)}=`, syntax],
    ['unions without an end', 'A|'.repeat(many / 2), syntax],
    ['separators', '-_.'.repeat(many / 3), syntax],
  ])('%s: refused', (_what, text, beginning) => {
    expect(messageOf(text).startsWith(beginning)).toBe(true);
  });
});
