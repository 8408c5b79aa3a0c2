import { describe, expect, it } from 'vitest';

import { Bindings } from '../../src/expressions/bindings.ts';
import { compileCondition } from '../../src/expressions/condition.ts';

describe('names and values of a request', () => {
  it.each([
    [{}, {}, 'ExpressionAttributeNames must not be empty'],
    [{ a: 'a' }, {}, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"'],
    [{ '#': 'a' }, undefined, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#"'],
    [{ '#a-b': 'a' }, undefined, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"'],
    [{ '': 'a' }, undefined, 'contains invalid key: The expression attribute map contains an empty key;'],
    [{ ['#'.padEnd(256, 'a')]: 'a' }, undefined, 'contains a key that is too long; size of key: 256'],
    [{ '#a': '' }, undefined, 'ExpressionAttributeNames contains invalid value: Empty attribute name for key #a'],
    [{ '#a': 'a'.repeat(65_536) }, undefined, 'Attribute name is too large, must be less than 65536 bytes for key #a'],
    [undefined, {}, 'ExpressionAttributeValues must not be empty'],
    [undefined, { a: { S: 'b' } }, 'ExpressionAttributeValues contains invalid key: Syntax error; key: "a"'],
    [undefined, { '#a': { S: 'b' } }, 'ExpressionAttributeValues contains invalid key: Syntax error; key: "#a"'],
  ])('are refused: %#', (names, values, message) => {
    expect(() => new Bindings(names as Record<string, string>, values as Record<string, { S: string }>)).toThrow(
      message,
    );
  });

  it('must all be used', () => {
    const unused = new Bindings({ '#a': 'a', '#b': 'b' }, { ':c': { S: 'c' } });
    expect(() => unused.requireAllUsed()).toThrow(
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}',
    );
    compileCondition('#a = #b or a = b', 'FilterExpression', unused);
    expect(() => unused.requireAllUsed()).toThrow(
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:c}',
    );
    compileCondition('a = b or a = :c', 'FilterExpression', unused);
    unused.requireAllUsed();
  });

  it('belong to one request, although parsed texts are cached', () => {
    const text = '#x = :v';
    for (const name of ['a', 'b', 'c']) {
      const bindings = new Bindings({ '#x': name }, { ':v': { S: name } });
      const condition = compileCondition(text, 'ConditionExpression', bindings);
      expect(condition.attributes).toEqual([name]);
      expect(condition.test({ [name]: { S: name } })).toBe(true);
      expect(condition.test({ z: { S: name } })).toBe(false);
    }
  });

  it('work for more texts than the cache holds', () => {
    for (let i = 0; i < 2_100; i += 1) {
      const condition = compileCondition(
        `a${i} = :v`,
        'FilterExpression',
        new Bindings(undefined, { ':v': { S: 'a' } }),
      );
      expect(condition.attributes).toEqual([`a${i}`]);
    }
  });
});
