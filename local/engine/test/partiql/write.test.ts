import { beforeEach, describe, expect, it } from 'vitest';

import type { Item } from '../../src/values/attribute-value.ts';
import { refusal, Statements } from './support.ts';

let statements = new Statements();

beforeEach(() => {
  statements = new Statements();
  statements.run(
    `INSERT INTO "Single" VALUE {'pk': 'a', 'n': 1, 'm': {'x': 'y'}, 'li': [1, 2], 'ss': <<'a', 'b'>>, 's': 'text'}`,
  );
});

const stored = (pk: string): Item | undefined =>
  statements.items('SELECT * FROM "Single" WHERE pk = ?', [{ S: pk }])[0];

describe('INSERT', () => {
  it('inserts an item once', () => {
    const insert = () =>
      statements.run(`INSERT INTO "Single" VALUE {'pk': ?, '__proto__': ?}`, [{ S: 'b' }, { N: '1' }]);
    expect(insert()).toEqual({ Items: [] });
    expect(stored('b')).toEqual(JSON.parse('{"pk":{"S":"b"},"__proto__":{"N":"1"}}'));
    expect(refusal(insert)).toEqual({
      type: 'DuplicateItemException',
      message: 'Duplicate primary key exists in table',
      details: {},
    });
  });

  it.each([
    [`{'pk': 1}`, "Key attribute's data type should match its data type in table's schema: Key pk"],
    [`{'n': 1}`, 'Key attribute should be present in the item: Key pk'],
    [
      `{'pk': ''}`,
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
  ])('refuses %s', (item, message) => {
    expect(refusal(() => statements.run(`INSERT INTO "Single" VALUE ${item}`)).message).toBe(message);
  });

  it('counts units', () => {
    const answer = statements.run(`INSERT INTO "Single" VALUE {'pk': 'c'}`, undefined, {
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect(answer.ConsumedCapacity).toEqual({ TableName: 'Single', CapacityUnits: 1 });
  });
});

describe('UPDATE', () => {
  it.each<[string, Item]>([
    ['SET n = 5', { n: { N: '5' } }],
    ['SET n = n + 1 SET q = n - 1', { n: { N: '2' }, q: { N: '0' } }],
    ['SET n = 1 + n + 2, q = s', { n: { N: '4' }, q: { S: 'text' } }],
    ['SET n = if_not_exists(q, 7)', { n: { N: '7' } }],
    ['SET m.y = [true]', { m: { M: { x: { S: 'y' }, y: { L: [{ BOOL: true }] } } } }],
    ['SET li[0] = 9 SET li[7] = 3', { li: { L: [{ N: '9' }, { N: '2' }, { N: '3' }] } }],
    ['SET li = list_append(li, [3])', { li: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] } }],
    [`SET ss = SET_ADD(ss, <<'z', 'a'>>)`, { ss: { SS: ['a', 'b', 'z'] } }],
    [`SET q = set_add(q, <<1>>)`, { q: { NS: ['1'] } }],
    [`SET ss = set_delete(ss, <<'a', 'q'>>)`, { ss: { SS: ['b'] } }],
    [`SET q = set_delete(q, <<'a'>>)`, {}],
    ['REMOVE q REMOVE li[0] SET n = 3', { n: { N: '3' }, li: { L: [{ N: '2' }] } }],
  ])('%s', (change, attributes) => {
    const before = stored('a');
    expect(statements.items(`UPDATE "Single" ${change} WHERE pk = 'a' RETURNING ALL NEW *`)).toEqual([
      { ...before, ...attributes },
    ]);
    expect(stored('a')).toEqual({ ...before, ...attributes });
  });

  it('removes members of sets and attributes', () => {
    statements.run(`UPDATE "Single" SET ss = set_delete(ss, <<'a', 'b'>>) REMOVE m.x REMOVE s WHERE pk = 'a'`);
    expect(stored('a')).toEqual({ pk: { S: 'a' }, n: { N: '1' }, m: { M: {} }, li: { L: [{ N: '1' }, { N: '2' }] } });
  });

  it('may begin with its table and its condition', () => {
    expect(
      statements.items(`FROM "Single" WHERE pk = ? AND n = 1 SET n = ? RETURNING MODIFIED NEW *`, [
        { S: 'a' },
        { N: '9' },
      ]),
    ).toEqual([{ n: { N: '9' } }]);
  });

  it.each<[string, Item[]]>([
    ['MODIFIED OLD', [{ n: { N: '1' }, m: { M: { x: { S: 'y' } } } }]],
    ['MODIFIED NEW', [{ n: { N: '2' }, m: { M: { x: { N: '3' } } } }]],
  ])('returns %s', (what, items) => {
    expect(statements.items(`UPDATE "Single" SET n = 2, m.x = 3 WHERE pk = 'a' RETURNING ${what} *`)).toEqual(items);
  });

  it('returns nothing if none of the written attributes exists', () => {
    expect(statements.items(`UPDATE "Single" SET q = 2 WHERE pk = 'a' RETURNING MODIFIED OLD *`)).toEqual([]);
    expect(statements.items(`UPDATE "Single" REMOVE q WHERE pk = 'a' RETURNING MODIFIED NEW *`)).toEqual([]);
  });

  it.each([`pk = 'none'`, `pk = 'none' AND attribute_not_exists(pk)`, `pk = 'a' AND n = 2`])(
    'does not happen where %s does not hold',
    (condition) => {
      const { type, details } = refusal(() =>
        statements.run(`UPDATE "Single" SET n = 5 WHERE ${condition}`, undefined, {
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      expect(type).toBe('ConditionalCheckFailedException');
      expect(details).toEqual(condition.includes('none') ? {} : { Item: stored('a') });
      expect(stored('none')).toBeUndefined();
    },
  );

  it.each([
    [
      'SET pk = 1',
      'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key',
    ],
    ['SET n = n * 2', 'Unsupported operator in Update Expression. Operator: *'],
    [
      'SET n = -n',
      'Incorrect number of operands for operator or function; operator or function: -, number of operands: 1',
    ],
    [`SET n = n + 'a'`, 'Incorrect operand type for operator or function; operator or function: +, operand type: S'],
    ['SET n = s + 1', 'An operand in the update expression has an incorrect data type'],
    ['SET n = q', 'The provided expression refers to an attribute that does not exist in the item'],
    ['SET q.x = 1', 'The document path provided in the update expression is invalid for update'],
    ['SET n = size(li)', 'The function is not allowed in an update expression; function: size'],
    [
      'SET li = list_append(li, 3)',
      'Incorrect operand type for operator or function; operator or function: list_append, operand type: N',
    ],
    [`SET t = set_add(ss, <<'x'>>)`, 'The first argument to SET_ADD must equal the assignment value at 1:25:7'],
    [`SET ss = set_add(ss, 'x')`, 'The second argument to SET_ADD must be a value with type SET at 1:34:2'],
    ['SET ss = set_delete(ss)', 'SET_DELETE must have exactly two arguments at 1:26:10'],
    ['SET ss = set_add(ss, <<1>>)', 'An operand in the update expression has an incorrect data type'],
    [`SET s = set_delete(s, <<'x'>>)`, 'An operand in the update expression has an incorrect data type'],
    ['SET n = nosuch(n)', 'Unrecognized function: nosuch at 1:25:6'],
  ])('refuses %s', (change, message) => {
    const before = stored('a');
    expect(refusal(() => statements.run(`UPDATE "Single" ${change} WHERE pk = 'a'`)).message).toBe(message);
    expect(stored('a')).toEqual(before);
  });

  it.each([
    ['', 'Where clause does not contain a mandatory equality on all key attributes'],
    [`WHERE pk = 'a'`, 'Where clause does not contain a mandatory equality on all key attributes'],
    [`WHERE pk = 'a' AND sk > 'b'`, 'Where clause does not contain a mandatory equality on all key attributes'],
    [
      `WHERE pk = 'a' AND sk = 'b' OR n = 1`,
      'Where clause does not contain a mandatory equality on all key attributes',
    ],
    [
      `WHERE pk = 'a' AND sk = 'b' AND sk = 'c'`,
      'Multiple conditions on same key sk. Only single item Update/Insert/Delete are supported',
    ],
    [`WHERE pk = 'a' AND sk = 1`, "Key attribute's data type should match its data type in table's schema: Key sk"],
  ])('refuses %s', (where, message) => {
    expect(refusal(() => statements.run(`UPDATE "Double" SET n = 1 ${where}`)).message).toBe(message);
  });
});

describe('DELETE', () => {
  it('deletes an item, and returns it if requested', () => {
    const before = stored('a');
    expect(statements.items(`DELETE FROM "Single" WHERE pk = 'a' AND n = 1 RETURNING ALL OLD *`)).toEqual([before]);
    expect(stored('a')).toBeUndefined();
  });

  it('succeeds if the item does not exist, whatever the condition', () => {
    expect(statements.items(`DELETE FROM "Single" WHERE pk = 'none' AND n = 1 RETURNING ALL OLD *`)).toEqual([]);
  });

  it('fails if the condition is false', () => {
    expect(refusal(() => statements.run(`DELETE FROM "Single" WHERE pk = 'a' AND n = 2`)).type).toBe(
      'ConditionalCheckFailedException',
    );
    expect(stored('a')).toBeDefined();
  });
});

it.each([
  ['1', 'Unsupported operation: Literal'],
  ['x IS INT4', 'Unsupported operation: IsType'],
  ['SELECT * FROM "Single" pk = 1', 'EXISTS can only be used in ExecuteTransaction write requests.'],
  ['SELECT * FROM "Single" pk IN (1)', 'EXISTS can only be used in ExecuteTransaction write requests.'],
  ['DROP TABLE x', 'Unsupported operation: DropTable'],
  [`INSERT INTO "Single" VALUES ({'pk': 'a'})`, 'Unsupported operation: InsertOp'],
  ['a = 1', 'EXISTS can only be used in ExecuteTransaction write requests.'],
  [`EXISTS(SELECT * FROM "Single" WHERE pk = 'a')`, 'EXISTS can only be used in ExecuteTransaction write requests.'],
])('ExecuteStatement refuses %s', (text, message) => {
  expect(refusal(() => statements.run(text)).message).toBe(message);
});
