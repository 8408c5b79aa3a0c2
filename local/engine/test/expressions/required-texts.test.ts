import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { EngineError } from '../../src/errors.ts';
import { compileCondition } from '../../src/expressions/condition.ts';
import type { AttributeValue, Item } from '../../src/values/attribute-value.ts';
import { printItem } from '../../src/values/item-text.ts';
import { openAsked, tableOf } from '../support.ts';
import { bindingsFor } from './support.ts';

const values = {
  ':a': { S: 'a' },
  ':b': { S: 'b"' },
  ':one': { N: '1' },
  ':two': { N: '2' },
  ':large': { N: '9007199254740993' },
  ':set': { SS: ['a', 'b'] },
};

const requiredTexts = (text: string) =>
  compileCondition(text, 'FilterExpression', bindingsFor(text, values)).requiredTexts;

describe('the texts that an item must contain to meet a condition', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['x = :a', ['"x":"a"']],
    [':b = x', [String.raw`"x":"b\""`]],
    ['#x = :one', ['"x":1']],
    ['x IN (:one, :two)', ['"x":1', '"x":2']],
    ['x = :large', [String.raw`"x":{"\u0000":{"N":"9007199254740993"}}`]],
    ['attribute_exists(y) AND x = :one', ['"x":1']],
    ['x = :a OR y = :one', ['"x":"a"', '"y":1']],
    ['x = :a OR attribute_exists(y)', undefined],
    ['NOT x = :a', undefined],
    ['x <> :a', undefined],
    ['x > :a', undefined],
    ['x = y', undefined],
    ['x.y = :a', undefined],
    ['x = :set', undefined],
    ['x IN (:one, y)', undefined],
  ])('are known of %s: %j', (text, expected) => {
    expect(requiredTexts(text)).toEqual(expected);
  });

  it('are not listed if it takes as long to look for them as to parse the item', () => {
    const many = Object.fromEntries(Array.from({ length: 6 }, (_value, at) => [`:v${at}`, { N: String(at) }]));
    const text = `x IN (${Object.keys(many).join(', ')})`;
    expect(compileCondition(text, 'FilterExpression', bindingsFor(text, many)).requiredTexts).toBeUndefined();
  });

  it('have numbers as they are stored', async () => {
    const engine = openAsked();
    await engine.ask('CreateTable', tableOf('Numbers', 'id'));
    await engine.ask('PutItem', { TableName: 'Numbers', Item: { id: { S: 'a' }, n: { N: '12.50' } } });
    const answer = await engine.ask('Scan', {
      TableName: 'Numbers',
      FilterExpression: 'n = :n',
      ExpressionAttributeValues: { ':n': { N: '0.125e2' } },
    });
    expect(answer).toMatchObject({ Count: 1, ScannedCount: 1 });
    engine.close();
  });

  it('are in the stored text of every item that meets the condition', () => {
    const value: fc.Arbitrary<AttributeValue> = fc.oneof(
      fc.constantFrom(...Object.values(values), { SS: ['b', 'a'] }),
      fc.constantFrom('x', 'y').map((name) => ({ M: { [name]: { S: 'a' } } })),
    );
    const item: fc.Arbitrary<Item> = fc.dictionary(fc.constantFrom('x', 'y', 'z'), value);
    const attribute = fc.constantFrom('x', 'y', '#x', 'y.x');
    const constant = fc.constantFrom(...Object.keys(values));
    const simple = fc.oneof(
      fc.tuple(attribute, fc.constantFrom('=', '=', '<>'), constant).map((parts) => parts.join(' ')),
      fc.tuple(constant, attribute).map((parts) => parts.join(' = ')),
      fc
        .tuple(attribute, constant, fc.oneof(constant, attribute))
        .map(([of, ...all]) => `${of} IN (${all.join(', ')})`),
      fc.constant('attribute_exists(z)'),
    );
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { depthSize: 'small' },
        simple,
        fc
          .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
          .map((parts) => `(${parts.join(' ')})`),
        tie('condition').map((inner) => `NOT (${inner})`),
      ),
    }));
    fc.assert(
      fc.property(condition, fc.array(item, { minLength: 1, maxLength: 20 }), (text, items) => {
        const compiled = compile(text);
        if (compiled?.requiredTexts === undefined) return;
        const { requiredTexts: parts } = compiled;
        for (const each of items) {
          if (!compiled.test(each)) continue;
          expect(parts.some((part) => printItem(each).includes(part))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Undefined if the condition compares an attribute with itself, which DynamoDB refuses. */
function compile(text: string) {
  try {
    return compileCondition(text, 'FilterExpression', bindingsFor(text, values));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return undefined;
  }
}
