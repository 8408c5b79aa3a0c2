import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { toNatives } from '../../lib/store/items/attribute-values.ts';
import { createClient, type TableClient } from '../../lib/store/items/client.ts';
import { BatchGetCommand, GetCommand, QueryCommand } from '../../lib/store/items/commands.ts';
import { Engine } from '../../local/engine/src/engine.ts';
import type { AttributeValue, Item } from '../../local/engine/src/values/attribute-value.ts';
import {
  parseItem,
  parseNative,
  printItem,
  readFirstTexts,
  showItemText,
  specialMember,
} from '../../local/engine/src/values/item-text.ts';
import { clientOf } from '../../local/open-engine.ts';

const itemsWithNames = (names: fc.Arbitrary<string>): fc.Arbitrary<Item> => {
  const binary = fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  const number = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom('0', '-1', '0.5', '-12.25', '0.1', '0.0000001', '999999999999999', '9007199254740991'),
    fc.constantFrom('9007199254740993', '-9007199254740993', '1000000000000000000000000', '0.1234567890123456789'),
  );
  const text = fc.oneof(fc.string(), fc.constantFrom('', '\u0000', '"\u0000":', '\ud800', 'ü', '{"\u0000":1}'));
  const one = <T>(values: fc.Arbitrary<T>) => fc.uniqueArray(values, { minLength: 1, maxLength: 3 });
  const { item } = fc.letrec<{ item: Item; value: AttributeValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text.map((S) => ({ S })),
      number.map((N) => ({ N })),
      fc.boolean().map((BOOL) => ({ BOOL })),
      fc.constant({ NULL: true }),
      binary.map((B) => ({ B })),
      one(text).map((SS) => ({ SS })),
      one(number).map((NS) => ({ NS })),
      one(binary).map((BS) => ({ BS })),
      fc.array(tie('value'), { maxLength: 3 }).map((L) => ({ L })),
      tie('item').map((M) => ({ M })),
    ),
    item: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  }));
  return item;
};

const anyNames = fc.oneof(fc.string(), fc.constantFrom(specialMember, '__proto__', 'S', 'N', 'M', 'toString'));

describe('the stored text of an item', () => {
  it('holds the item', () => {
    fc.assert(
      fc.property(itemsWithNames(anyNames), (item) => {
        expect(parseItem(printItem(item))).toEqual(item);
        expect(JSON.parse(showItemText(printItem(item)))).toEqual(item);
      }),
      { numRuns: 1_000 },
    );
  });

  it('holds the native values that the SDK would give', () => {
    const names = anyNames.filter((name) => name !== '__proto__');
    fc.assert(
      fc.property(itemsWithNames(names), (item) => {
        expect(parseNative(printItem(item))).toEqual(toNatives(item));
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the texts that it begins with, or none', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('', '"', '\\', 'a\\', '","SK":"', 'ü', '\u0000'));
    const value = fc.oneof(
      text.map((S): AttributeValue => ({ S })),
      fc.constantFrom({ N: '1' }, { M: {} }),
    );
    // Objects list names of digits first.
    const others = fc.string().map((name) => `_${name}`);
    const isEscaped = (given: AttributeValue) => 'S' in given && JSON.stringify(given.S) !== `"${given.S}"`;
    fc.assert(
      fc.property(value, value, itemsWithNames(others), (PK, SK, rest) => {
        const isKnown = [PK, SK].every((given) => 'S' in given && !isEscaped(given));
        expect(readFirstTexts(printItem({ PK, SK, ...rest }), ['PK', 'SK'])).toEqual(isKnown ? { PK, SK } : undefined);
      }),
      { numRuns: 1_000 },
    );
    expect(readFirstTexts('{"a":"1","PK":"p"}', ['PK'])).toBeUndefined();
  });

  it('is plain JSON', () => {
    const item: Item = { PK: { S: 'a' }, n: { N: '1' }, big: { N: '9007199254740993' }, m: { M: { l: { L: [] } } } };
    expect(printItem(item)).toBe(String.raw`{"PK":"a","n":1,"big":{"\u0000":{"N":"9007199254740993"}},"m":{"l":[]}}`);
  });
});

describe('items in the plain form', () => {
  const folders: string[] = [];
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  const TableName = 'Plain';
  const key = (SK: string) => ({ PK: { S: 'p' }, SK: { S: SK } });

  /** An engine with the items `a` and `b`, whose data are read from the disk. */
  function openWithItems(): Engine {
    const folder = mkdtempSync(join(tmpdir(), 'dapple-items-'));
    folders.push(folder);
    const path = join(folder, 'dapple.sqlite');
    const writer = new Engine({ path });
    writer.answer('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
    for (const SK of ['a', 'b']) writer.answer('PutItem', { TableName, Item: { ...key(SK), n: { N: '1' } } });
    writer.close();
    return new Engine({ path });
  }

  it('are read', async () => {
    const engine = openWithItems();
    const client = openClient(engine);
    const query = {
      TableName,
      KeyConditionExpression: 'PK = :p',
      FilterExpression: 'n = :n',
      ExpressionAttributeValues: { ':p': 'p', ':n': 1 },
    };
    const [a, b] = ['a', 'b'].map((SK) => ({ PK: 'p', SK, n: 1 }));
    const { Items } = await client.send(new QueryCommand(query));
    expect(Items).toEqual([a, b]);
    const { Item } = await client.send(new GetCommand({ TableName, Key: { PK: 'p', SK: 'a' } }));
    expect(Item).toEqual(a);
    const keys = ['a', 'b'].map((SK) => ({ PK: 'p', SK }));
    const { Responses } = await client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys } } }));
    expect(Responses).toEqual({ [TableName]: [a, b] });
    const { body } = await engine.send('Scan', JSON.stringify({ TableName }));
    expect(JSON.parse(body)).toMatchObject({ Items: [{ SK: { S: 'a' }, n: { N: '1' } }, { SK: { S: 'b' } }] });
    engine.close();
  });

  it('leave keys in answers as they are', async () => {
    const engine = openWithItems();
    const client = openClient(engine);
    const of = { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': 'p' } };
    const { LastEvaluatedKey } = await client.send(new QueryCommand({ TableName, ...of, Limit: 2 }));
    expect(LastEvaluatedKey).toEqual({ PK: 'p', SK: 'b' });
    // The last key is too many for an answer of 16 MB.
    const large = { ...key('large'), text: { S: 'x'.repeat(400_000) } };
    const names = Array.from({ length: 42 }, (_value, at) => `large${at}`);
    for (const SK of names) engine.answer('PutItem', { TableName, Item: { ...large, SK: { S: SK } } });
    const Keys = ['b', ...names].map((SK) => ({ PK: 'p', SK }));
    const asked = { [TableName]: { Keys, ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems: asked }));
    expect(Responses?.[TableName]?.[0]).toEqual({ PK: 'p', SK: 'b', n: 1 });
    expect(UnprocessedKeys).toEqual({ [TableName]: { ConsistentRead: true, Keys: [{ PK: 'p', SK: 'large41' }] } });
    engine.close();
  });

  it('are changed, and delivered to readers of the stream', () => {
    const engine = openWithItems();
    const update = { TableName, Key: key('a'), UpdateExpression: 'ADD n :n', ReturnValues: 'ALL_OLD' };
    const values = { ExpressionAttributeValues: { ':n': { N: '1' } } };
    const { body } = engine.answer('UpdateItem', { ...update, ...values });
    expect(JSON.parse(body)).toEqual({ Attributes: { ...key('a'), n: { N: '1' } } });
    const old = { ...key('a'), n: { N: '1' } };
    const changed = { ...key('a'), n: { N: '2' } };
    expect(listImages(engine)).toEqual([
      { key: key('a'), new: old },
      { key: key('b'), new: { ...key('b'), n: { N: '1' } } },
      { key: key('a'), old, new: changed },
    ]);
    engine.close();
  });
});

/** Dapple's client of an engine. */
function openClient(engine: Engine): TableClient {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
  return createClient(clientOf(engine));
}

/** The keys and images of all records of the only stream, as GetRecords and as readers in the process get them. */
function listImages(engine: Engine): object[] {
  const ask = (operation: string, input: object) =>
    JSON.parse(engine.answer(operation, input).body) as Record<string, never>;
  const { Streams } = ask('ListStreams', {}) as unknown as { Streams: [{ StreamArn: string }] };
  const [{ StreamArn }] = Streams;
  const { StreamDescription } = ask('DescribeStream', { StreamArn }) as unknown as {
    StreamDescription: { Shards: [{ ShardId: string }] };
  };
  const [{ ShardId }] = StreamDescription.Shards;
  const place = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
  const iterator = ask('GetShardIterator', place) as unknown as { ShardIterator: string };
  const { Records } = ask('GetRecords', iterator) as unknown as { Records: { dynamodb: Images }[] };
  const shown = engine.answerRecords(iterator).Records.map(({ dynamodb }) => imagesOf(dynamodb as Images));
  expect(Records.map(({ dynamodb }) => imagesOf(dynamodb))).toEqual(shown);
  return shown;
}

interface Images {
  readonly Keys: Item;
  readonly OldImage?: Item;
  readonly NewImage?: Item;
}

function imagesOf({ Keys, OldImage, NewImage }: Images): object {
  return { key: Keys, ...(OldImage && { old: OldImage }), ...(NewImage && { new: NewImage }) };
}
