import { describe, expect, it } from 'vitest';

import { Bindings } from '../../src/expressions/bindings.ts';
import { compileUpdate } from '../../src/expressions/update.ts';
import type { Item } from '../../src/values/attribute-value.ts';
import { bindingsFor, update } from './support.ts';

const expectError = (text: string) => expect(() => compileUpdate(text, bindingsFor(text)), text);

describe('updates that are not valid', () => {
  it.each([
    ['  ', '<EOF>', '  '],
    ['INVALID SYNTAX', 'INVALID', 'INVALID SYNTAX'],
    ['set', '<EOF>', 'set'],
    ['set b', '<EOF>', 'b'],
    ['set b = :N,', '<EOF>', ','],
    ['set b = :N c = :N', 'c', ':N c ='],
    ['add b c', 'c', 'b c'],
    ['add b = :N', '=', 'b = :N'],
    ['delete b :SS :SS', ':SS', ':SS :SS'],
    ['remove b c', 'c', 'b c'],
    ['set :N = b', ':N', 'set :N ='],
    ['set b = c / d', '/', 'c / d'],
    ['set b[1] = 1', '1', '= 1'],
    ['set (b) = c', '(', 'set (b'],
    ['set b = (c.d).e', '.', ').e'],
    ['set b = c + d + e', '+', 'd + e'],
    ['set b = (c + d) + e', '+', ') + e'],
    ['set b = if_not_exists(c, :N + :N)', '+', ':N + :N'],
    ['set b = :N; remove c', ';', ':N; remove'],
    ['add b add', 'add', 'b add'],
    ['add b (:N)', '(', 'b (:N'],
    ['set b = not c', 'not', '= not c'],
  ])('%j fails at %j near %j', (text, token, near) => {
    expectError(text).toThrow(`Invalid UpdateExpression: Syntax error; token: "${token}", near: "${near}"`);
  });

  it.each([
    ['', 'The expression can not be empty;'],
    ['set b = ((c+d))', 'The expression has redundant parentheses;'],
    ['set b = list_append(((:L)), :L)', 'The expression has redundant parentheses;'],
    ['set b = foo(c), d = status', 'Invalid function name; function: foo'],
    ['set b = size(c)', 'The function is not allowed in an update expression; function: size'],
    ['set b = list_append(list_append(:L, :L), :L)', wrongPlace],
    ['set b = if_not_exists(c, list_append(:L, :L))', wrongPlace],
    ['set b = :N + list_append(:L, :L)', wrongPlace],
    ['set #c = :c set abOrt = true', 'Attribute name is a reserved keyword; reserved keyword: abOrt'],
    ['set b = #c set c = :d', 'The "SET" section can only be used once in an update expression;'],
    ['add #d :e set b = c add e :f', 'The "ADD" section can only be used once in an update expression;'],
    ['set b = c[2147483648]', 'List index is not within the allowable range; index: [2147483648]'],
    ['set b = if_not_exists(c)', operandCount('if_not_exists', 1)],
    ['set b = list_append(:L,:L,:L)', operandCount('list_append', 3)],
    ['set b = if_not_exists(:N, c)', noPath],
    ['set b = if_not_exists(if_not_exists(c, d), e)', noPath],
    ['set b = list_append(:S, c)', operandType('list_append', 'S')],
    ['set b = c + :M', operandType('+', 'M')],
    ['set b = :B - c', operandType('-', 'B')],
    ['set b = c + :L, d = :S + :N', operandType('+', 'S')],
    ['set b = list_append(:S, c), d = if_not_exists(e) add f.g :S', sectionType('ADD', 'STRING')],
    ['delete b :N', sectionType('DELETE', 'NUMBER')],
    ['add b :BOOL', sectionType('ADD', 'BOOLEAN')],
    ['add b :L', sectionType('ADD', 'LIST')],
  ])('%s: %s', (text, message) => {
    expectError(text).toThrow(`Invalid UpdateExpression: ${message}`);
  });

  it.each([
    ['set c[1].a1 = b, #c = if_not_exists(b)', 'overlap', '[c, [1], a1]', '[c]'],
    ['set b = c, b = :absent', 'overlap', '[b]', '[b]'],
    ['set b = c remove b.x', 'overlap', '[b]', '[b, x]'],
    ['add b.c[0] :N delete b :SS', 'overlap', '[b, c, [0]]', '[b]'],
    ['remove b.#c set b[1] = #d', 'conflict', '[b, c]', '[b, [1]]'],
    ['set d[1] = b, d.b = b, c[1].a1 = b, #c = b', 'overlap', '[c, [1], a1]', '[c]'],
  ])('%s: paths %s', (text, what, one, two) => {
    expectError(text).toThrow(
      `Invalid UpdateExpression: Two document paths ${what} with each other; must remove or rewrite one of these ` +
        `paths; path one: ${one}, path two: ${two}`,
    );
  });

  it('reports undefined names of paths before values', () => {
    const bare = (text: string) => expect(() => compileUpdate(text, new Bindings(undefined, undefined)));
    bare('SET #c = if_not_exists(:c)').toThrow('is not defined; attribute name: #c');
    bare('SET b = if_not_exists(:c)').toThrow('is not defined; attribute value: :c');
    bare('SET b = :v REMOVE #x').toThrow('is not defined; attribute name: #x');
  });
});

const wrongPlace = 'The function is not allowed to be used this way in an expression; function: list_append';
const noPath = 'Operator or function requires a document path; operator or function: if_not_exists';

function operandCount(name: string, count: number): string {
  return `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${count}`;
}

function operandType(name: string, type: string): string {
  return `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`;
}

function sectionType(section: string, type: string): string {
  return `Incorrect operand type for operator or function; operator: ${section}, operand type: ${type}`;
}

describe('updates that do not match the item', () => {
  const item: Item = {
    str: { S: 'a' },
    num: { N: '1' },
    bag: { SS: ['a'] },
    lst: { L: [{ N: '1' }] },
    dict: { M: { 1: { S: 'a' } } },
  };

  it.each([
    'set str.b = :N',
    'set str[1] = :N',
    'set absent.b = :N',
    'set absent[0] = :N',
    'set dict[1] = :N',
    'set lst.#1 = :N',
    'set dict.absent.b = :N',
    'set lst[7].b = :N',
    'remove str.b',
    'remove absent.b set b = :N',
    'remove lst[7].b',
    'delete dict[1] :SS',
    'add absent[1] :N',
  ])('%s names a missing place', (text) => {
    expect(() => update(text, item)).toThrow(
      'The document path provided in the update expression is invalid for update',
    );
  });

  it.each([
    'delete bag :NS',
    'delete num :NS',
    'delete lst :SS',
    'add bag :N',
    'add num :NS',
    'add str :SS',
    'add lst :SS',
    'set b = str + :N',
    'set b = :N - dict',
    'set b = bag + absent',
    'set b = list_append(bag, :L)',
    'set b = list_append(:L, dict)',
  ])('%s has an operand of the wrong type', (text) => {
    const aliased = text.replace(/ (text|number|set|list|dict)\b/g, ' #$1');
    expect(() => update(aliased, item)).toThrow('An operand in the update expression has an incorrect data type');
  });

  it.each(['set b = absent', 'set b = list_append(absent, :L)', 'set b = dict.x', 'set b = if_not_exists(c, absent)'])(
    '%s reads what is not there',
    (text) => {
      expect(() => update(text, { ...item, c: { N: '1' } })).toThrow(
        'The provided expression refers to an attribute that does not exist in the item',
      );
    },
  );

  it('refuses numbers that are out of range', () => {
    const c = { N: '9E+125' };
    expect(() => update('set b = c + c', { c })).toThrow('Number overflow');
    expect(() => update('add c :c', { c }, { ':c': c })).toThrow('Number overflow');
  });
});
