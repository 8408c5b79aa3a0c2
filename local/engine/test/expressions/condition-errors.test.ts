import { describe, expect, it } from 'vitest';

import { Bindings } from '../../src/expressions/bindings.ts';
import { compileCondition } from '../../src/expressions/condition.ts';
import { reservedWords } from '../../src/expressions/reserved-words.ts';
import { bindingsFor, valueOfType } from './support.ts';

const values = { ...valueOfType, ':S2': { S: 'b' } };
const compile = (text: string) => compileCondition(text, 'FilterExpression', bindingsFor(text, values));
const expectError = (text: string) => expect(() => compile(text), text);
const many = (count: number, text: string) => Array.from({ length: count }, () => text);

describe('syntax errors', () => {
  it.each([
    ['   ', '<EOF>', '   '],
    ['  !x', '!', '  !x'],
    ['things are not gonna be ok', 'are', 'things are not'],
    ['b > 4', '4', '> 4'],
    ['b', '<EOF>', 'b'],
    ['b = ', '<EOF>', '= '],
    ['f(Pictures-RearView)', '-', 'Pictures-RearView'],
    ['f("x")', '"', '("x'],
    ['f(P..R)', '.', '..R'],
    ['f(b[a])', 'a', '[a]'],
    ['b in c, d', 'c', 'in c,'],
    ['b in ()', ')', '()'],
    ['b in (c,d,)', ')', ',)'],
    ['b > between', 'between', '> between'],
    ['(b)between(c.(d.e))and(f)', '(', '.(d'],
    ['#$.b > a', '#', '#$'],
    ['b > :things.stuff', '.', ':things.stuff'],
    ['b[:a] > c', ':a', '[:a]'],
    ['ü > b', 'ü', 'ü >'],
    ['size(b).c > d', '.', ').c'],
    ['_b = :S', '_', '_b'],
    ['b = :S)', ')', ':S)'],
    ['(b = :S', '<EOF>', ':S'],
    ['b[1.5] = :S', '.', '1.5'],
    ['b[00] = :S', '0', '00]'],
    ['b and c = d', 'and', 'b and c'],
    ['(b and c = d)', 'and', 'b and c'],
    ['b = c = d', '=', 'c = d'],
    ['b = (c = d)', '=', 'c = d'],
    ['contains(b, c = d)', '=', 'c = d'],
    ['not b', '<EOF>', 'b'],
    ['b < = c', '=', '< = c'],
    ['b = c or or d = e', 'or', 'or or d'],
    ['b between c or d', 'or', 'c or d'],
    ['b.between = c', 'between', '.between ='],
    ['set b = c', 'set', 'set b'],
    ['attribute_exists()', ')', '()'],
  ])('%j fails at %j near %j', (text, token, near) => {
    expectError(text).toThrow(`Invalid FilterExpression: Syntax error; token: "${token}", near: "${near}"`);
  });

  it.each(['((b)) = c', '((b = c))', 'not ((b = c))', 'f(((b)), c)', '(b)between(((c)).d)and(e)', '((b = c)) and d e'])(
    '%s has redundant parentheses',
    (text) => {
      expectError(text).toThrow('Invalid FilterExpression: The expression has redundant parentheses;');
    },
  );

  it('has limits', () => {
    expectError('').toThrow('Invalid FilterExpression: The expression can not be empty;');
    expectError('x'.repeat(4097)).toThrow(
      'Expression size has exceeded the maximum allowed size; expression size: 4097',
    );
    expectError(`b${'.c'.repeat(32)} = d`).toThrow('The document path has too many nesting levels; nesting levels: 33');
    expectError('b[2147483648] = c').toThrow('List index is not within the allowable range; index: [2147483648]');
    expectError(many(151, 'c=d').join(' and ')).toThrow(
      'The expression contains too many operators; operator count: 301',
    );
    expectError(`c in (${many(101, 'd').join(',')})`).toThrow(
      'The IN operator is provided with too many operands; number of operands: 101',
    );
    compile(`b${'.c'.repeat(31)} = d`);
    compile('b[2147483647] = c');
    compile(many(150, 'c=d').join(' and '));
    compile(`c in (${many(100, 'd').join(',')})`);
  });

  it.each(['('.repeat(4096), `${'not('.repeat(1000)}b=c`, `b = ${'size('.repeat(680)}c${')'.repeat(680)}`])(
    'ends with an error however deep the text is: %.20s',
    (text) => {
      expectError(text).toThrow(/^Invalid FilterExpression: /);
    },
  );
});

describe('words that are not allowed', () => {
  it('has the words that AWS lists', () => {
    expect(reservedWords.size).toBe(573);
  });

  it.each([
    ['views = :S', 'Attribute name is a reserved keyword; reserved keyword: views'],
    [':S < b.abOrT', 'Attribute name is a reserved keyword; reserved keyword: abOrT'],
    ['b = c and whatever((:S)) > b', 'Invalid function name; function: whatever'],
    ['Contains(views, :S)', 'Invalid function name; function: Contains'],
    ['if_not_exists(b, c) = d', 'The function is not allowed in a condition expression; function: if_not_exists'],
    ['attribute_exists((views)) > b', wrongPlace('attribute_exists')],
    ['size(contains(b, c)) > d', wrongPlace('contains')],
    ['size(b)', wrongPlace('size')],
    ['b between c and attribute_exists(d)', wrongPlace('attribute_exists')],
    ['b in (c, begins_with(d, e))', wrongPlace('begins_with')],
    ['size(b) and foo(c)', wrongPlace('size')],
    ['status = b and foo(c)', 'Attribute name is a reserved keyword; reserved keyword: status'],
  ])('%s: %s', (text, message) => {
    expectError(text).toThrow(`Invalid FilterExpression: ${message}`);
  });
});

function wrongPlace(name: string): string {
  return `The function is not allowed to be used this way in an expression; function: ${name}`;
}

describe('operands that do not match', () => {
  it('reports undefined names and values in the order of the text', () => {
    const bare = (text: string) =>
      expect(() => compileCondition(text, 'ConditionExpression', new Bindings(undefined, undefined)));
    const name = (alias: string) =>
      'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; ' +
      `attribute name: ${alias}`;
    const value = (text: string) =>
      'Invalid ConditionExpression: An expression attribute value used in expression is not defined; ' +
      `attribute value: ${text}`;
    bare('b.#c between :lo and :hi').toThrow(name('#c'));
    bare('begins_with(:hello, #a, #b)').toThrow(value(':hello'));
    bare(':a < :b').toThrow(value(':a'));
    bare('attribute_exists(#a, :b) and c = c').toThrow(name('#a'));
  });

  it.each([
    ['attribute_exists(b, c) and d = d', 'attribute_exists', 2],
    ['attribute_type(b)', 'attribute_type', 1],
    ['begins_with(b, size(c), d)', 'begins_with', 3],
    ['size(b, c) > d', 'size', 2],
  ])('%s: %s does not accept %s', (text, name, count) => {
    expectError(text).toThrow(
      'Invalid FilterExpression: Incorrect number of operands for operator or function; ' +
        `operator or function: ${name}, number of operands: ${count}`,
    );
  });

  it.each([
    ['attribute_type(b, size(c))', 'attribute_type', 'N'],
    ['attribute_type(b, :N)', 'attribute_type', 'N'],
    ['attribute_type(b, c)', 'attribute_type', '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}'],
    ['begins_with(:SS, b)', 'begins_with', 'SS'],
    ['begins_with(b, size(c))', 'begins_with', 'N'],
    ['size(:N) > b', 'size', 'N'],
    ['size(size(b)) > c', 'size', 'N'],
    ['attribute_exists(size(:BOOL))', 'size', 'BOOL'],
    ['b < :L', '<', 'L'],
    [':M >= b', '>=', 'M'],
    ['b between c and :NULL', 'BETWEEN', 'NULL'],
    ['b between b and :BS', 'BETWEEN', 'BS'],
  ])('%s: %s does not accept %s', (text, name, type) => {
    expectError(text).toThrow(
      'Invalid FilterExpression: Incorrect operand type for operator or function; ' +
        `operator or function: ${name}, operand type: ${type}`,
    );
  });

  it.each([
    ['a1.#x = a1.x', '=', '[a1, x]'],
    ['a1 <> #a1', '<>', '[a1]'],
    ['b in (c, b)', 'IN', '[b]'],
    ['b between c and b', 'BETWEEN', '[b]'],
    ['contains(b[1].c, b[1].#c)', 'contains', '[b, [1], c]'],
    ['attribute_type(b, b)', 'attribute_type', '[b]'],
    ['b = b and ((c) = :missing)', '=', '[b]'],
  ])('%s: the operands of %s are equal', (text, operator, path) => {
    expectError(text).toThrow(
      'Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator ' +
        `or function; operator: ${operator}, first operand: ${path}`,
    );
  });

  it('accepts other operands twice', () => {
    for (const text of [':S = :S', 'size(b) = size(b)', 'b between c and c', 'contains(:S, :S)']) compile(text);
  });

  it('requires a path, a type name, and bounds in order', () => {
    expectError('attribute_exists(:S) and a1 = a1').toThrow(
      'Operator or function requires a document path; operator or function: attribute_exists',
    );
    expectError('attribute_type(b, :S)').toThrow(
      /Invalid attribute type name found; type: a, valid types: \{(\w+,?){10}\}$/,
    );
    expectError('b between :N and :S').toThrow(
      'The BETWEEN operator requires same data type for lower and upper bounds; ' +
        'lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}',
    );
    expectError('b between :S2 and :S').toThrow(
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
        'lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}',
    );
  });
});
