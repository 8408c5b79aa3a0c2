import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Asked, openAsked, tableOf, texts } from './support.ts';

let engine: Asked;

beforeEach(async () => {
  engine = openAsked();
  await engine.ask('CreateTable', tableOf('Trees', 'id', { byKind: 'kind / place' }));
  await engine.ask('CreateTable', tableOf('Walks', 'id / step'));
});
afterEach(() => engine.close());

const key = texts({ id: '1' });
const get = async () => (await engine.ask('GetItem', { TableName: 'Trees', Key: key }))['Item'];

describe('an update of a missing item', () => {
  it('creates it, unless it only removes attributes', async () => {
    const removed = await engine.ask('UpdateItem', {
      TableName: 'Trees',
      Key: key,
      UpdateExpression: 'REMOVE a',
      ReturnValues: 'ALL_NEW',
    });
    expect([removed, await get()]).toEqual([{}, undefined]);
    await engine.ask('UpdateItem', { TableName: 'Trees', Key: key });
    expect(await get()).toEqual(key);
  });
});

describe('a token that came with another transaction', () => {
  it('is told before a table that does not exist', async () => {
    const put = (TableName: string) => ({
      TransactItems: [{ Put: { TableName, Item: key } }],
      ClientRequestToken: 'token',
    });
    const types = [];
    for (const table of ['Trees', 'Nowhere']) {
      const { __type: type } = await engine.ask('TransactWriteItems', put(table));
      types.push(type);
    }
    expect(types).toEqual([undefined, expect.stringMatching(/#IdempotentParameterMismatchException$/)]);
  });
});

describe("an update of an index's key attribute", () => {
  const update = (expression: string, values: Record<string, unknown>) =>
    engine.refusal('UpdateItem', {
      TableName: 'Trees',
      Key: key,
      UpdateExpression: expression,
      ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
    });

  it('is refused for another type, with another message if that depends on the item', async () => {
    expect(await update('SET kind = n + :n', { ':n': { N: '1' } })).toBe(
      'One or more parameter values were invalid: Type mismatch for Index Key kind Expected: S Actual: N IndexName: byKind',
    );
    await update('SET n = :n', { ':n': { N: '1' } });
    expect(await update('SET kind = n', {})).toBe(
      'The update expression attempted to update the secondary index key to unsupported type',
    );
  });

  it('is refused if empty, with another message than a put', async () => {
    const words = 'The AttributeValue for a key attribute cannot contain an empty string value.';
    expect(await update('SET kind = :s', { ':s': { S: '' } })).toBe(
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key ' +
        `to a value that is not supported. ${words}`,
    );
    expect(await engine.refusal('PutItem', { TableName: 'Trees', Item: { ...key, kind: { S: '' } } })).toBe(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `${words} IndexName: byKind, IndexKey: kind`,
    );
  });

  it('is checked after the key of the table, and before paths into keys', async () => {
    expect(await update('SET kind[1] = :n, id.a = :n', { ':n': { N: '1' } })).toMatch(/Cannot update attribute id/);
    expect(await update('SET kind[1] = :n, place = :n', { ':n': { N: '1' } })).toMatch(
      /Type mismatch for Index Key place/,
    );
  });
});

describe('the starting key of a page', () => {
  const query = (condition: string, values: Record<string, string>, start: Record<string, unknown>) =>
    engine.refusal('Query', {
      TableName: 'Walks',
      KeyConditionExpression: condition,
      ExpressionAttributeValues: texts(values),
      ExclusiveStartKey: start,
    });
  const validationError = 'The provided starting key is invalid';
  const wrong = 'The provided key element does not match the schema';

  it.each([
    [{ id: { N: '1' }, step: { S: 'a' } }, wrong],
    [{ id: { N: '1' } }, validationError],
    [{ id: { S: '1' }, other: { S: 'a' } }, 'Query condition missed key schema element: id'],
  ])('must have the hash key, which is checked before the condition: %j', async (start, message) => {
    expect(await query('step = :a', { ':a': 'a' }, start)).toBe(message);
  });

  it.each([
    [{ id: { S: '1' }, other: { S: 'a' } }, validationError],
    [{ id: { S: '1' }, step: { N: '1' } }, wrong],
    [
      texts({ id: '2', step: 'a' }),
      'The provided starting key is outside query boundaries based on provided conditions',
    ],
  ])('must have the range key, which is checked after the condition: %j', async (start, message) => {
    expect(await query('id = :i', { ':i': '1' }, start)).toBe(message);
  });

  it('must be in the requested range', async () => {
    const range = (step: string, id: string) =>
      query('id = :i AND step > :a', { ':i': '1', ':a': 'b' }, texts({ id, step }));
    expect(await range('a', '1')).toBe('The provided starting key does not match the range key predicate');
    expect(await range('c', '2')).toBe('The query can return at most one row and cannot be restarted');
    expect(await range('c', '1')).toBeUndefined();
  });

  it('has one error for scans of a table', async () => {
    const scan = (start: Record<string, unknown>) =>
      engine.refusal('Scan', { TableName: 'Walks', ExclusiveStartKey: start });
    expect(await scan(texts({ id: '1' }))).toBe(`${validationError}: ${wrong}`);
    expect(await scan({ id: { N: '1' }, step: { S: 'a' } })).toBe(`${validationError}: ${wrong}`);
  });

  it('is invalid if the query can find only one item', async () => {
    await engine.ask('PutItem', { TableName: 'Trees', Item: key });
    const one = {
      TableName: 'Trees',
      KeyConditionExpression: 'id = :i',
      ExpressionAttributeValues: texts({ ':i': '1' }),
      Limit: 1,
    };
    expect(await engine.ask('Query', one)).toEqual({ Items: [key], Count: 1, ScannedCount: 1 });
    expect(await engine.refusal('Query', { ...one, ExclusiveStartKey: key })).toBe(
      'The provided exclusive start key is invalid: ExclusiveStartKey: {id=AttributeValue: {S:1}}',
    );
  });
});

describe('the filter of a query of an index', () => {
  it('uses only attributes that the index projects', async () => {
    const table = tableOf('Narrow', 'id', { byKind: 'kind' });
    const [index] = table['GlobalSecondaryIndexes'] as [object];
    const Projection = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['size'] };
    await engine.ask('CreateTable', { ...table, GlobalSecondaryIndexes: [{ ...index, Projection }] });
    const query = (filter: string) =>
      engine.refusal('Query', {
        TableName: 'Narrow',
        IndexName: 'byKind',
        KeyConditionExpression: 'kind = :k',
        FilterExpression: filter,
        ExpressionAttributeNames: { '#size': 'size' },
        ExpressionAttributeValues: texts({ ':k': 'oak' }),
      });
    expect(await query('#size = :k AND id = :k')).toBeUndefined();
    expect(await query('#size = :k AND (tall = :k OR age = :k)')).toBe(
      'One or more parameter values were invalid: Secondary index byKind does not project one or more filter ' +
        'attributes: [age, tall]',
    );
  });
});

describe('a transaction', () => {
  const item = (id: object) => ({ Put: { TableName: 'Trees', Item: { id } } });

  it('reports only the first part that does not match its table', async () => {
    const answer = await engine.ask('TransactWriteItems', {
      TransactItems: [item({ S: '1' }), item({ N: '2' }), item({ N: '3' })],
    });
    expect((answer['CancellationReasons'] as { Code: string }[]).map(({ Code }) => Code)).toEqual([
      'None',
      'ValidationError',
      'None',
    ]);
  });

  it('reads no item twice', async () => {
    const part = { Get: { TableName: 'Trees', Key: key } };
    expect(await engine.refusal('TransactGetItems', { TransactItems: [part, part] })).toBe(
      'Transaction request cannot include multiple operations on one item',
    );
  });
});

describe('a batch of reads', () => {
  const batch = (table: object) => engine.refusal('BatchGetItem', { RequestItems: { Nowhere: table } });
  const duplicates = 'Provided list of item keys contains duplicates';
  const same = [
    { a: { S: 'x' }, b: { N: '1' } },
    { b: { N: '1.0' }, a: { S: 'x' } },
  ];

  it('has no key twice, in any order of attributes, even without a table', async () => {
    const absent = 'Requested resource not found';
    expect(await batch({ Keys: same })).toBe(duplicates);
    expect(await batch({ Keys: [{ a: { S: 'x' } }, { a: { B: 'xxxx' } }, { a: { S: 'y' } }, { b: { S: 'x' } }] })).toBe(
      absent,
    );
    expect(await batch({ Keys: [{ a: { S: 'x 1 b' } }, { a: { S: 'x' }, b: { S: '' } }] })).toBe(absent);
  });

  it('is checked for that after its projections', async () => {
    expect(await batch({ Keys: same, ProjectionExpression: 'a b' })).toMatch(/^Invalid ProjectionExpression: /);
    const names = { ExpressionAttributeNames: { '#unused': 'a' } };
    expect(await batch({ Keys: same, ProjectionExpression: 'a', ...names })).toMatch(/ unused in expressions: /);
  });
});

describe('numbers', () => {
  it('are answered in plain digits', async () => {
    await engine.ask('PutItem', { TableName: 'Trees', Item: { ...key, a: { N: '1.5e125' }, b: { N: '-1e-130' } } });
    expect(await get()).toEqual({
      ...key,
      a: { N: `15${'0'.repeat(124)}` },
      b: { N: `-0.${'0'.repeat(129)}1` },
    });
  });

  it('have no inexact sums', async () => {
    const add = (one: string, other: string) =>
      engine.refusal('UpdateItem', {
        TableName: 'Trees',
        Key: key,
        UpdateExpression: 'SET s = :a + :b',
        ExpressionAttributeValues: { ':a': { N: one }, ':b': { N: other } },
      });
    expect(await add('1E50', '1')).toMatch(/^Number overflow/);
    expect(await add('99999999999999999999999999999999999999', '1')).toBeUndefined();
    expect(await get()).toEqual({ ...key, s: { N: `1${'0'.repeat(38)}` } });
  });
});

describe('the tags of a table', () => {
  const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Trees';
  const tags = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, at) => ({ Key: `${prefix}${at}`, Value: '' }));

  it('are at most 50, including existing ones', async () => {
    await engine.ask('TagResource', { ResourceArn: arn, Tags: tags(40, 'a') });
    expect(await engine.refusal('TagResource', { ResourceArn: arn, Tags: tags(11, 'b') })).toMatch(/limit of 50/);
    expect(await engine.refusal('TagResource', { ResourceArn: arn, Tags: tags(10, 'b') })).toBeUndefined();
  });

  it('are not answered for a missing table', async () => {
    const answer = await engine.ask('ListTagsOfResource', { ResourceArn: `${arn}X` });
    expect(answer['__type']).toBe('com.amazon.coral.service#AccessDeniedException');
  });
});

describe('an index that is added to a table with items', () => {
  it('omits items whose attributes cannot be its key', async () => {
    for (const [id, mood] of [
      ['1', { S: '' }],
      ['2', { N: '1' }],
      ['3', { S: 'good' }],
    ] as const) {
      await engine.ask('PutItem', { TableName: 'Walks', Item: { ...texts({ id, step: 'a' }), mood } });
    }
    await engine.ask('UpdateTable', {
      TableName: 'Walks',
      AttributeDefinitions: [{ AttributeName: 'mood', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'byMood',
            KeySchema: [{ AttributeName: 'mood', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    });
    const { Items } = await engine.ask('Scan', { TableName: 'Walks', IndexName: 'byMood' });
    expect(Items).toEqual([{ ...texts({ id: '3', step: 'a', mood: 'good' }) }]);
  });

  it('gives no attribute another type than that of a key', async () => {
    const refusal = await engine.refusal('UpdateTable', {
      TableName: 'Walks',
      AttributeDefinitions: [
        { AttributeName: 'step', AttributeType: 'N' },
        { AttributeName: 'pace', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'byPace',
            KeySchema: [
              { AttributeName: 'pace', KeyType: 'HASH' },
              { AttributeName: 'step', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    });
    expect(refusal).toMatch(
      /Attributes cannot be redefined.*Existing schema: Schema:\[SchemaElement: key\{step:S:RANGE\}\] New schema: Schema:\[SchemaElement: key\{step:N:RANGE\}\]$/,
    );
  });
});

describe('new units of an index', () => {
  const update = (TableName: string, ReadCapacityUnits: number) =>
    engine.refusal('UpdateTable', {
      TableName,
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: 'byNothing', ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits: 1 } } },
      ],
    });

  it('are checked after the table and before the index', async () => {
    expect(await update('Nothing', 1_000_000_000_001)).toBe('Requested resource not found: Table: Nothing not found');
    expect(await update('Trees', 1_000_000_000_001)).toMatch(/Action Blocked: IndexUpdate$/);
    expect(await update('Trees', 1)).toBe('Requested resource not found: Index: byNothing not found');
  });
});
