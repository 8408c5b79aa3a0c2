import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Asked, type Json, openAsked, tableOf, texts } from './support.ts';

let engine: Asked;

beforeEach(async () => {
  engine = openAsked();
  await engine.ask('CreateTable', tableOf('Trees', 'id', { byPlace: 'land town / street house' }));
});
afterEach(() => engine.close());

const put = (id: string, land: string, town: string, street: string, house: string) =>
  engine.ask('PutItem', { TableName: 'Trees', Item: texts({ id, land, town, street, house }) });

const queryOf = (condition: string, values: Readonly<Record<string, string>>, more: Json = {}): Json => ({
  TableName: 'Trees',
  IndexName: 'byPlace',
  KeyConditionExpression: condition,
  ExpressionAttributeValues: texts(values),
  ...more,
});

async function find(condition: string, values: Readonly<Record<string, string>>, more?: Json): Promise<unknown[]> {
  const { Items } = await engine.ask('Query', queryOf(condition, values, more));
  return (Items as { id: { S: string } }[]).map(({ id }) => id.S);
}

const place = { ':l': 'x', ':t': 'y' };
const hash = 'land = :l AND town = :t';

describe('a global index whose key has several attributes', () => {
  it('finds items by all hash attributes, and distinguishes values that concatenate to the same text', async () => {
    await put('1', 'x', 'y', 'a', '1');
    await put('2', 'xy', 'y', 'a', '1');
    await put('3', 'x\u0000', 'y', 'a', '1');
    await put('4', 'x', 'yy', 'a', '1');
    expect(await find(hash, place)).toEqual(['1']);
    expect(await find(hash, { ':l': 'x\u0000', ':t': 'y' })).toEqual(['3']);
    expect(await find(hash, { ':l': 'x', ':t': 'yy' })).toEqual(['4']);
  });

  it('orders by the range attributes in sequence', async () => {
    for (const [id, street, house] of [
      ['1', 'ab', '1'],
      ['2', 'a', '2'],
      ['3', 'a\u0000', '1'],
      ['4', 'a', '1'],
    ] as const) {
      await put(id, 'x', 'y', street, house);
    }
    expect(await find(hash, place)).toEqual(['4', '2', '3', '1']);
    expect(await find(hash, place, { ScanIndexForward: false })).toEqual(['1', '3', '2', '4']);
    expect(await find(hash, place, { ScanIndexForward: false, Limit: 1 })).toEqual(['1']);
  });

  it.each([
    ['street = :s', ['2', '3', '4']],
    ['street < :s', ['1']],
    ['street <= :s', ['1', '2', '3', '4']],
    ['street > :s', ['5']],
    ['street >= :s', ['2', '3', '4', '5']],
    ['begins_with(street, :s)', ['2', '3', '4', '5']],
    ['street = :s AND house > :h', ['4']],
    ['house >= :h AND street = :s', ['3', '4']],
    ['street = :s AND house < :h', ['2']],
    ['street = :s AND house BETWEEN :h AND :h', ['3']],
    ['street = :s AND begins_with(house, :h)', ['3', '4']],
  ])('finds by %s', async (condition, ids) => {
    await put('1', 'x', 'y', 'a', '2');
    await put('2', 'x', 'y', 'b', '1');
    await put('3', 'x', 'y', 'b', '2');
    await put('4', 'x', 'y', 'b', '23');
    await put('5', 'x', 'y', 'bb', '0');
    const used = condition.includes(':h') ? { ':s': 'b', ':h': '2' } : { ':s': 'b' };
    expect(await find(`${hash} AND ${condition}`, { ...place, ...used })).toEqual(ids);
  });

  it.each([
    ['land = :l', { ':l': 'x' }, 'HASH key attributes town must have equality conditions specified in the query'],
    [
      `${hash} AND house = :h`,
      { ...place, ':h': '1' },
      'RANGE key attributes street must have equality conditions specified in the query because a condition is ' +
        'present on key attribute house',
    ],
    [
      `${hash} AND street > :h AND house = :h`,
      { ...place, ':h': '1' },
      'RANGE key attributes street must have equality conditions specified in the query because a condition is ' +
        'present on key attribute house',
    ],
  ])('refuses %s', async (condition, values, message) => {
    expect(await engine.refusal('Query', queryOf(condition, values))).toBe(message);
  });

  it('continues after a page', async () => {
    await put('1', 'x', 'y', 'a', '1');
    await put('2', 'x', 'y', 'a', '1');
    await put('3', 'x', 'y', 'b', '1');
    const seen: unknown[] = [];
    let start: unknown;
    do {
      const answer = await engine.ask(
        'Query',
        queryOf(hash, place, { Limit: 1, ...(start === undefined ? {} : { ExclusiveStartKey: start }) }),
      );
      seen.push(...(answer['Items'] as { id: { S: string } }[]).map(({ id }) => id.S));
      start = answer['LastEvaluatedKey'];
    } while (start !== undefined);
    expect(seen).toEqual(['1', '2', '3']);
  });

  it('can be read by statements', async () => {
    await put('1', 'x', 'y', 'a', '1');
    await put('2', 'x', 'z', 'a', '1');
    await put('3', 'x', 'y', 'b', '1');
    const select = async (where: string, more: Json = {}) => {
      const { Items, NextToken } = await engine.ask('ExecuteStatement', {
        Statement: `SELECT id FROM "Trees"."byPlace" WHERE ${where}`,
        ...more,
      });
      return { ids: (Items as { id: { S: string } }[]).map(({ id }) => id.S).sort(), NextToken };
    };
    expect((await select(`land = 'x' AND town = 'y'`)).ids).toEqual(['1', '3']);
    expect((await select(`land = 'x' AND town = 'y' AND street = 'b'`)).ids).toEqual(['3']);
    expect((await select(`land = 'x'`)).ids).toEqual(['1', '2', '3']);
    expect((await select(`land = 'q' AND town = 'y'`)).ids).toEqual([]);
    const first = await select(`land = 'x'`, { Limit: 2 });
    const second = await select(`land = 'x'`, { Limit: 2, NextToken: first.NextToken });
    expect([...first.ids, ...second.ids].sort()).toEqual(['1', '2', '3']);
  });

  it('lacks items without one of its attributes', async () => {
    await engine.ask('PutItem', { TableName: 'Trees', Item: texts({ id: '1', land: 'x', town: 'y', street: 'a' }) });
    expect(await find(hash, place)).toEqual([]);
  });

  it('has its hash attributes before its range attributes, and at most four of each', async () => {
    const create = (key: readonly string[]) => ({
      ...tableOf('Other', 'id', { wide: key.map((name) => name.slice(1)).join(' ') }),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'wide',
          KeySchema: key.map((name) => ({
            AttributeName: name.slice(1),
            KeyType: name.startsWith('h') ? 'HASH' : 'RANGE',
          })),
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    expect(await engine.refusal('CreateTable', create(['ha', 'rb', 'hc']))).toMatch(/HASH .* precede .* RANGE/);
    expect(await engine.refusal('CreateTable', create(['ha', 'hb', 'hc', 'hd', 'he']))).toMatch(/HASH .* limit of 4/);
    expect(await engine.refusal('CreateTable', create(['ha', 'hb', 'hc', 'hd', 're']))).toBeUndefined();
  });
});
