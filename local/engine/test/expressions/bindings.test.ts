import { describe, expect, it } from 'vitest';

import { Bindings } from '../../src/expressions/bindings.ts';
import { compileCondition } from '../../src/expressions/condition.ts';

describe('names and values of a request', () => {
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
