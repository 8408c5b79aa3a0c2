import { describe, expect, it } from 'vitest';

import { parseStatement } from '../../src/partiql/parse.ts';
import { refusal } from './support.ts';

const messageOf = (text: string) => refusal(() => parseStatement(text)).message;
const wellFormed = "Statement wasn't well formed, can't be processed: ";

describe('statements that are not well formed', () => {
  it.each([
    ['SELECT * FROM "T_1" WHERE pk = 1 foo', 'Unexpected token after expression'],
    ['SELECT * FROM "T_1" WHERE pk = 1 e5', 'Unexpected token after expression'],
    ['SELECT * FROM "T_1" WHERE pk = 1)', 'Unexpected token after expression'],
    ['SELECT * FROM "T_1" ORDER BY pk WHERE pk = 1', 'Unexpected token after expression'],
    ['SELECT * FROM "T_1" t pk = 1', 'Unexpected token after expression'],
    ['SELECT * FROM "T_1" pk =', 'Missing right-hand side expression of infix operator'],
    [`INSERT INTO "T_1" VALUE {'pk': 1} foo`, 'Unexpected token after expression'],
    [`INSERT INTO "T_1" t VALUE {'pk': 'x'}`, 'Unexpected token after expression'],
    ['UPDATE "T_1" SET a = 9 WHERE pk = 2 foo', 'Unexpected token after expression'],
    ['UPDATE "T_1" REMOVE a, b WHERE pk = 2', 'Unexpected token after expression'],
    ['DELETE FROM "T_1" WHERE pk = 1 ORDER BY pk', 'Unexpected token after expression'],
    ['SELECT * FROM "T_1" WHERE pk = 1e2147483648', ''],
    ['SELECT * FROM "T_1" WHERE pk = 1.5e-2147483647', ''],
    ['SELECT * FROM "T_1" WHERE pk = 1 # note', ''],
    ['SELECT * FROM "T_1" WHERE pk = 1 /* note', ''],
    ['SELECT * FROM "T_1', ''],
    ['SELECT * FROM "T_1" WHERE', 'Unexpected term'],
    ['SELECT * FROM "T_1" WHERE;', 'Unexpected term'],
    ['SELECT * FROM "T_1" WHERE NOT', 'Unexpected term'],
    ['SELECT * FROM "T_1" WHERE (', 'Unexpected term'],
    ['SELECT * FROM', 'Unexpected term'],
    [`SELECT * FROM "T_1" WHERE pk = 'p1' AND`, 'Missing right-hand side expression of infix operator'],
    ['SELECT * FROM "T_1" WHERE ORDER BY pk', 'Unexpected keyword'],
    ['SELECT * FROM "T_1" WHERE IS NULL', 'Unexpected operator'],
    ['SELECT * FROM "T_1" WHERE pk = LIKE', 'Unexpected operator'],
    [`SELECT * FROM "T_1" WHERE pk = 'a' AND x IS FOO`, 'Expected type name'],
    ['SELECT m.inner FROM "T_1"', 'Invalid path dot component'],
    [`DELETE FROM WHERE pk = 'a'`, 'Expected identifier for simple path'],
    ['DELETE FROM;', 'Expected identifier for simple path'],
    ['SLECT * FROM "T_1" WHERE pk = 1', 'Expected data manipulation'],
    ['UPDATE Payment-One SET a = 1', 'Expected data manipulation'],
    [`FROM "T_1" SET c = 1 WHERE pk = 'x'`, 'Unexpected token after expression'],
  ])('%s', (text, detail) => {
    expect(messageOf(text)).toBe(wellFormed + detail);
  });

  it('limits nested parentheses', () => {
    expect(messageOf(`SELECT * FROM "T_1" WHERE ${'('.repeat(4_000)}`)).toContain(wellFormed);
    expect(messageOf(`SELECT * FROM "T_1" WHERE ${'NOT '.repeat(2_000)}`)).toContain(wellFormed);
    expect(messageOf(`SELECT * FROM "T_1" WHERE a = ${'- '.repeat(4_000)}`)).toContain(wellFormed);
  });
});

describe('statements that DynamoDB does not support', () => {
  it.each([
    [`SELECT * FROM "T_1" t WHERE pk = 'x'`, 'Aliasing is not supported'],
    [`SELECT n AS m FROM "T_1"`, 'Aliasing is not supported'],
    [`DELETE FROM "T_1" t WHERE pk = 'x'`, 'Aliasing is not supported'],
    [`SELECT * FROM $"T_1" WHERE pk = 'x'`, 'Aliasing is not supported'],
    [`UPDATE "$" t SET n = 1 WHERE pk = 'x'`, 'Aliasing is not supported'],
    [`DELETE FROM "$" t WHERE pk = 'x'`, 'Aliasing is not supported'],
    ['SELECT DISTINCT n FROM "T_1"', 'Unsupported token in expression: DISTINCT'],
    ['SELECT VALUE n FROM "T_1"', "Select projection doesn't support value or pivot keywords"],
    ['SELECT size(n) FROM "T_1"', 'Unexpected path component at 1:8:4'],
    ['SELECT n + 1 FROM "T_1"', 'Unexpected path component at 1:10:1'],
    ['SELECT m.x, x FROM "T_1"', 'Duplicate identifiers in select clause: x'],
    [
      'SELECT m.x, m FROM "T_1"',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
        'path one: [m], path two: [m, x]',
    ],
    ['SELECT * FROM "T_1", "T_2"', 'Only select from a single table or index is supported.'],
    ['SELECT * FROM "T_1" JOIN "T_2" ON a = b', 'Only select from a single table or index is supported.'],
    ['SELECT * FROM (SELECT * FROM "T_1")', 'Unexpected from source'],
    [`SELECT * FROM "T_1" = 1 WHERE pk = 'x'`, 'Unexpected from source'],
    ['SELECT * FROM "T_1"."idx"."more"', 'A path may contain at most 2 components in the FROM clause'],
    ['SELECT * FROM ""', 'Path component cannot be an empty string'],
    ['SELECT * FROM "T_1" ORDER BY a.b', 'Argument to ORDER BY must be of type VariableReference. Type: PATH'],
    ['SELECT * FROM "T_1" ORDER BY a = 1', 'Argument to ORDER BY must be of type VariableReference. Type: ='],
    ['SELECT * FROM "T_1" ORDER BY size(a)', 'Argument to ORDER BY must be of type VariableReference. Type: size'],
    [`SELECT * FROM "T_1" ORDER BY 'a'`, 'Argument to ORDER BY must be of type VariableReference. Type: "a"'],
    ['SELECT * FROM "T_1" ORDER BY null', 'Argument to ORDER BY must be of type VariableReference. Type: null'],
    ['SELECT * FROM "T_1" ORDER BY 1.50', 'Argument to ORDER BY must be of type VariableReference. Type: 1.50'],
    ['SELECT * FROM "T_1" LIMIT 2', 'Unsupported clause: LIMIT at 1:27:1'],
    ['SELECT * FROM "T_1"\nGROUP BY n', 'Unsupported clause: GROUP BY'],
    ['SELECT * FROM "T_1" WHERE a[-1] = 1', 'List index is not within the allowable range; index: [-1] at 1:30:1'],
    [`INSERT INTO "T_1" VALUE {'pk': 1} RETURNING ALL OLD *`, 'RETURNING is not supported in INSERT'],
    [
      'INSERT INTO "T_1" VALUE ?',
      'Unsupported format in item expression. Please use struct format {...} to express item values for insert ' +
        'statement. at 1:25:1',
    ],
    [`INSERT INTO "T_1" VALUE {'a': [?]}`, 'Unsupported data type: Parameter under key root[0] at 1:32:1'],
    [`INSERT INTO "T_1" VALUE {'a': set_add(1)}`, 'Unsupported data type: set_add under key root at 1:31:7'],
    [
      `INSERT INTO "T_1" VALUE {'a': <<1, 'b'>>}`,
      'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags',
    ],
    [`INSERT INTO "T_1" VALUE {'a': <<>>}`, 'Empty bags are not supported'],
    [
      `INSERT INTO "T_1" VALUE {'a': <<'x', 'x'>>}`,
      'One or more parameter values were invalid: Input collection [x, x] contains duplicates.',
    ],
    [
      `INSERT INTO "T_1" VALUE {'m': {'x': 1e126}}`,
      'Number overflow. Attempting to store a number with magnitude larger than supported range under root.x',
    ],
    [
      `INSERT INTO "T_1" VALUE {'l': [1, 1e-131]}`,
      'Number underflow. Attempting to store a number with magnitude smaller than supported range under root[1]',
    ],
    [
      `INSERT INTO "T_1"."$" VALUE {'pk': 1}`,
      'FROM clause may only contain a single table name in data manipulation statements',
    ],
    ['UPDATE "T_1"."idx" SET n = 1', 'This operation is not supported on an index'],
    [
      'UPDATE "T_1" SET n = 1 REMOVE n',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
        'path one: [n], path two: [n]',
    ],
    [
      `DELETE FROM "T_1" WHERE pk = 'x' RETURNING MODIFIED OLD *`,
      'Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
    ],
  ])('%s', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });
});

describe('parsed statements', () => {
  it('are cached', () => {
    const text = `INSERT INTO "T_1" VALUE {'pk': ?, 'a': ?}`;
    expect(parseStatement(text)).toBe(parseStatement(text));
    expect(parseStatement(text).parameters).toBe(2);
  });

  it('are dropped from the cache when there are many others', () => {
    const first = parseStatement('SELECT kept FROM "T_1"');
    for (let i = 0; i < 1_001; i += 1) parseStatement(`SELECT a${i} FROM "T_1"`);
    expect(parseStatement('SELECT kept FROM "T_1"')).not.toBe(first);
    expect(parseStatement('SELECT kept FROM "T_1"')).toEqual(first);
  });

  it('may have comments, any case and a semicolon', () => {
    expect(parseStatement('-- one\nselect a.b[0]."c d" /* two */ From T_1;').body).toEqual({
      type: 'select',
      source: { table: 'T_1' },
      paths: [['a', 'b', 0, 'c d']],
      where: undefined,
      order: [],
    });
  });

  it('contain values of all kinds', () => {
    const { body } = parseStatement(
      `INSERT INTO "T_1" VALUE {'s': 'it''s', 'n': -.5e1, 'p': - -1, 'b': TRUE, 'z': null, 'l': [1, ('a', 2)],
        'm': {'__proto__': {'x': <<1, 2>>}}, 'set': <<'a'>>, 'q': ?}`,
    );
    expect(body.type === 'insert' && JSON.parse(JSON.stringify(body.members))).toEqual([
      ['s', { S: "it's" }],
      ['n', { N: '-5' }],
      ['p', { N: '1' }],
      ['b', { BOOL: true }],
      ['z', { NULL: true }],
      ['l', { L: [{ N: '1' }, { L: [{ S: 'a' }, { N: '2' }] }] }],
      ['m', JSON.parse('{"M":{"__proto__":{"M":{"x":{"NS":["1","2"]}}}}}')],
      ['set', { SS: ['a'] }],
      ['q', 0],
    ]);
  });
});
