import type { AttributeValue, Item } from '../src/values/attribute-value.ts';
import type { Random } from './random.ts';
import type { Body } from './request.ts';

/** A key attribute. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

/** An index of a judged table. */
export interface JudgedIndex {
  readonly name: string;
  readonly local: boolean;
  readonly hash: KeyAttribute;
  readonly range: KeyAttribute;
  readonly projection: Body;
}

/** A table of both engines, with the few keys of its items. */
export interface JudgedTable {
  readonly name: string;
  readonly hash: KeyAttribute;
  readonly range?: KeyAttribute;
  readonly hashes: readonly AttributeValue[];
  readonly ranges: readonly AttributeValue[];
  readonly indexes: readonly JudgedIndex[];
  readonly stream: boolean;
}

const text = (name: string): KeyAttribute => ({ name, type: 'S' });
const texts = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => ({ S: prefix + index }));

/** The partition of large items, so that a query of it has several pages. */
export const heavyPartition = 'heavy';

/**
 * The partition of an index whose items share sort keys. Everywhere else sort keys of indexes are unique: items with
 * equal keys have no defined order, so a page of a limited query could end at any of them.
 */
export const tiedPartition = 'tied';

/** A table like Dapple's. */
export const catalog: JudgedTable = {
  name: 'JudgedCatalog',
  hash: text('PK'),
  range: text('SK'),
  hashes: [...texts('DID#', 4), { S: heavyPartition }],
  ranges: [...texts('META#', 5), ...texts('a', 5), { S: 'Ärger' }, { S: '\u{1F600}' }, { S: '\uFFFD' }, { S: 'Z' }],
  indexes: [
    { name: 'GSI1', local: false, hash: text('GSI1PK'), range: text('GSI1SK'), projection: { ProjectionType: 'ALL' } },
    {
      name: 'GSI2',
      local: false,
      hash: text('GSI2PK'),
      range: text('GSI2SK'),
      projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['batch'] },
    },
  ],
  stream: true,
};

const owner = text('owner');

/** A table with a numeric sort key and a local index. */
export const ledger: JudgedTable = {
  name: 'JudgedLedger',
  hash: owner,
  range: { name: 'at', type: 'N' },
  hashes: [...texts('o', 2), { S: tiedPartition }],
  ranges: [
    '0',
    '-1',
    '1',
    '1.5',
    '100',
    '1E2',
    '-0',
    '1E-130',
    '-9.9E125',
    '0.10',
    '12345678901234567890.123',
    '7',
  ].map((number) => ({ N: number })),
  indexes: [
    {
      name: 'byRank',
      local: true,
      hash: owner,
      range: { name: 'rank', type: 'N' },
      projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  stream: false,
};

/** A table with a binary partition key only. */
export const blobs: JudgedTable = {
  name: 'JudgedBlobs',
  hash: { name: 'id', type: 'B' },
  hashes: ['AA==', 'AAA=', '/w==', 'f38=', 'YWJj', 'YWJk', 'gIE=', 'AQID'].map((base64) => ({ B: base64 })),
  ranges: [],
  indexes: [],
  stream: false,
};

/** All tables. */
export const tables: readonly JudgedTable[] = [catalog, ledger, blobs];

/** A random table, most often the one like Dapple's. */
export function pickTable(random: Random): JudgedTable {
  return random.weighted([
    [6, catalog],
    [3, ledger],
    [1, blobs],
  ]);
}

/** The key of an item that may exist. */
export function pickKey(random: Random, table: JudgedTable): Item {
  const light = table.hashes.filter((hash) => !('S' in hash && hash.S === heavyPartition));
  const hash = random.chance(0.08) ? random.pick(table.hashes) : random.pick(light);
  const { range } = table;
  return {
    [table.hash.name]: hash,
    ...(range === undefined ? {} : { [range.name]: random.pick(table.ranges) }),
  };
}

/** The first valid key of a table. */
export function firstKey({ hash, range, hashes, ranges }: JudgedTable): Item {
  return {
    [hash.name]: hashes[0] as AttributeValue,
    ...(range === undefined ? {} : { [range.name]: ranges[0] as AttributeValue }),
  };
}

/** The names of a table's key attributes, on request with those of its indexes. */
export function keyNames({ hash, range, indexes }: JudgedTable, withIndexes: boolean): string[] {
  const own = [hash.name, ...(range === undefined ? [] : [range.name])];
  const others = indexes.flatMap((index) => [index.hash.name, index.range.name]);
  return withIndexes ? [...new Set([...own, ...others])] : own;
}

/** The body of the request that creates a table. */
export function createTableBody({ name, hash, range, indexes, stream }: JudgedTable): Body {
  const all = [hash, ...(range === undefined ? [] : [range]), ...indexes.flatMap((index) => [index.hash, index.range])];
  const definitions = new Map(all.map((key) => [key.name, { AttributeName: key.name, AttributeType: key.type }]));
  const describe = (local: boolean) =>
    indexes
      .filter((index) => index.local === local)
      .map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.hash, index.range),
        Projection: index.projection,
      }));
  const [local, global] = [describe(true), describe(false)];
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...definitions.values()],
    KeySchema: keySchema(hash, range),
    ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local }),
    ...(global.length === 0 ? {} : { GlobalSecondaryIndexes: global }),
    ...(stream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } } : {}),
  };
}

function keySchema(hash: KeyAttribute, range: KeyAttribute | undefined): Body[] {
  const schema = [{ AttributeName: hash.name, KeyType: 'HASH' }];
  if (range !== undefined) schema.push({ AttributeName: range.name, KeyType: 'RANGE' });
  return schema;
}
