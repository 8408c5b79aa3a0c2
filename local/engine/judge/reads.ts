import type { Item } from '../src/values/attribute-value.ts';
import { anyCondition, anyProjection, spoilExpression, writeName } from './expressions.ts';
import type { Random } from './random.ts';
import { type Body, type JudgedRequest, Placeholders } from './request.ts';
import { type JudgedIndex, type JudgedTable, keyNames, pickKey, pickTable } from './tables.ts';
import { anyText } from './values.ts';

/** Probability of a mistake in an expression. */
const spoiled = 0.02;

/** Whether and in which detail the request asks for its cost. */
export function capacityMember(random: Random): Body {
  const choice = random.weighted([
    [4, undefined],
    [3, 'TOTAL'],
    [3, 'INDEXES'],
    [1, 'NONE'],
  ] as const);
  return choice === undefined ? {} : { ReturnConsumedCapacity: choice };
}

/** The text of an expression, rarely with a mistake. */
export function maybeSpoil(random: Random, expression: string): string {
  return random.chance(spoiled) ? spoilExpression(random, expression) : expression;
}

function projectionMember(random: Random, placeholders: Placeholders, table: JudgedTable, likelihood: number): Body {
  if (!random.chance(likelihood)) return {};
  const text = anyProjection(random, placeholders, keyNames(table, true));
  return { ProjectionExpression: maybeSpoil(random, text) };
}

function consistencyMember(random: Random, likelihood = 0.3): Body {
  return random.chance(likelihood) ? { ConsistentRead: random.chance(0.7) } : {};
}

function read(operation: JudgedRequest['operation'], body: Body, ordered = true, pages = 1): JudgedRequest {
  return { operation, body, touches: [], mistaken: false, ordered, pages };
}

/** A request for one item. */
export function anyGetItem(random: Random): JudgedRequest {
  const table = pickTable(random);
  return read('GetItem', {
    ...getBody(random, table, pickKey(random, table)),
    ...consistencyMember(random),
    ...capacityMember(random),
  });
}

function getBody(random: Random, table: JudgedTable, key: Item): Body {
  const placeholders = new Placeholders();
  const projection = projectionMember(random, placeholders, table, 0.4);
  return { TableName: table.name, Key: key, ...projection, ...placeholders.toBody() };
}

/** A request for several items of one or two tables; rarely it names one twice. */
export function anyBatchGet(random: Random): JudgedRequest {
  const chosen = [...new Set([pickTable(random), pickTable(random)])];
  const requested = chosen.map((table) => {
    const placeholders = new Placeholders();
    const projection = projectionMember(random, placeholders, table, 0.3);
    const keys = distinctKeys(
      random,
      table,
      random.weighted([
        [20, 4],
        [2, 12],
        [0.2, 101],
      ]),
    );
    return [table.name, { Keys: keys, ...projection, ...placeholders.toBody(), ...consistencyMember(random) }] as const;
  });
  return read('BatchGetItem', { RequestItems: Object.fromEntries(requested), ...capacityMember(random) });
}

/** Some keys, rarely with a repeated one. */
export function distinctKeys(random: Random, table: JudgedTable, most: number): Item[] {
  const keys = Array.from({ length: random.integer(1, most) }, () => pickKey(random, table));
  if (random.chance(0.02)) return keys;
  return [...new Map(keys.map((key) => [identifyKey(key), key])).values()];
}

/** The same text for equal keys, such as the numbers 100 and 1E2. */
function identifyKey(key: Item): string {
  return JSON.stringify(Object.values(key).map((value) => ('N' in value ? Number(value.N) + 0 : value)));
}

/** A request for items in one transaction. */
export function anyTransactGet(random: Random): JudgedRequest {
  const table = pickTable(random);
  const other = pickTable(random);
  const keys = distinctKeys(random, table, 4).map((key) => [table, key] as const);
  if (other !== table) keys.push([other, pickKey(random, other)]);
  return read('TransactGetItems', {
    TransactItems: keys.map(([from, key]) => ({ Get: getBody(random, from, key) })),
    ...capacityMember(random),
  });
}

/** A query of a table or an index, over one or more pages. */
export function anyQuery(random: Random): JudgedRequest {
  const table = pickTable(random);
  const index = table.indexes.length > 0 && random.chance(0.45) ? random.pick(table.indexes) : undefined;
  const placeholders = new Placeholders();
  const [hash, isTied] = pickPartition(random, table, index);
  const condition = keyCondition(random, placeholders, table, index, hash);
  const body = {
    TableName: table.name,
    KeyConditionExpression: maybeSpoil(random, condition),
    ...(index === undefined ? {} : { IndexName: index.name }),
    ...(random.chance(0.4) ? { ScanIndexForward: random.chance(0.2) } : {}),
    ...listMembers(random, placeholders, table, index),
    ...(index === undefined && random.chance(0.15) ? { ExclusiveStartKey: startKey(random, table, hash) } : {}),
    ...placeholders.toBody(),
  };
  return read('Query', body, !isTied, isTied ? 200 : random.integer(1, 4));
}

function startKey(random: Random, table: JudgedTable, hash: Item[string]): Item {
  const key = pickKey(random, table);
  return random.chance(0.95) ? { ...key, [table.hash.name]: hash } : key;
}

function pickPartition(random: Random, table: JudgedTable, index: JudgedIndex | undefined): [Item[string], boolean] {
  if (index === undefined) return [pickKey(random, table)[table.hash.name] as Item[string], false];
  const hash = index.local ? random.pick(table.hashes) : { S: random.pick(['p0', 'p1', 'p0', 'p1', 'tied']) };
  return [hash, 'S' in hash && hash.S === 'tied'];
}

function keyCondition(
  random: Random,
  placeholders: Placeholders,
  table: JudgedTable,
  index: JudgedIndex | undefined,
  hash: Item[string],
): string {
  const source = index ?? table;
  const first = `${writeName(random, placeholders, source.hash.name)} = ${placeholders.value(hash)}`;
  if (source.range === undefined || random.chance(0.5)) return first;
  const name = writeName(random, placeholders, source.range.name);
  const bound = () => placeholders.value(anyBound(random, table, index));
  const second = random.weighted<() => string>([
    [5, () => `${name} ${random.pick(['=', '<', '<=', '>', '>='])} ${bound()}`],
    [3, () => `${name} BETWEEN ${bound()} AND ${bound()}`],
    [source.range.type === 'N' ? 0.2 : 3, () => `begins_with(${name}, ${bound()})`],
    [0.1, () => `${name} <> ${bound()}`],
    [0.1, () => `contains(${name}, ${bound()})`],
    [0.1, () => `attribute_exists(${name})`],
  ])();
  return random.chance(0.9) ? `${first} AND ${second}` : `(${second}) and (${first})`;
}

function anyBound(random: Random, table: JudgedTable, index: JudgedIndex | undefined): Item[string] {
  if (random.chance(0.01)) return { BOOL: true };
  if (index === undefined) {
    const prefixes = [{ S: 'META' }, { S: 'a' }, { S: '' }, { S: 'META#2' }];
    return table.range?.type === 'S' && random.chance(0.3) ? random.pick(prefixes) : random.pick(table.ranges);
  }
  const major = random.integer(0, 5);
  if (index.range.type === 'N') return { N: random.pick([`${major}`, `${major}.15`, '-1']) };
  return random.chance(0.1) ? anyText(random) : { S: random.pick([`${major}`, `${major}#D`, `t${major}`]) };
}

/** The common members of queries and scans. */
function listMembers(
  random: Random,
  placeholders: Placeholders,
  table: JudgedTable,
  index: JudgedIndex | undefined,
): Body {
  const projection = projectionMember(random, placeholders, table, 0.25);
  const selection = random.weighted([
    [12, undefined],
    [Object.keys(projection).length === 0 ? 2 : 0.2, 'COUNT'],
    [Object.keys(projection).length === 0 ? 1 : 0.1, 'ALL_ATTRIBUTES'],
    [index === undefined ? 0.1 : 1, 'ALL_PROJECTED_ATTRIBUTES'],
    [Object.keys(projection).length === 0 ? 0.1 : 2, 'SPECIFIC_ATTRIBUTES'],
  ] as const);
  return {
    ...projection,
    ...(random.chance(0.35) ? { FilterExpression: maybeSpoil(random, anyCondition(random, placeholders)) } : {}),
    ...(selection === undefined ? {} : { Select: selection }),
    ...(random.chance(0.45)
      ? {
          Limit: random.weighted([
            [20, random.integer(1, 6)],
            [1, 100],
            [0.2, 0],
          ]),
        }
      : {}),
    // A global index has no consistent reads.
    ...consistencyMember(random, index === undefined || index.local ? 0.3 : 0.03),
    ...capacityMember(random),
  };
}

/** A complete scan of a table or an index. DynamoDB does not define the order of partitions. */
export function anyScan(random: Random): JudgedRequest {
  const table = pickTable(random);
  const index = table.indexes.length > 0 && random.chance(0.5) ? random.pick(table.indexes) : undefined;
  const placeholders = new Placeholders();
  const members = listMembers(random, placeholders, table, index);
  const body = {
    TableName: table.name,
    ...(index === undefined ? {} : { IndexName: index.name }),
    ...members,
    ...placeholders.toBody(),
    ...(random.chance(0.05) ? { Segment: 0, TotalSegments: 1 } : {}),
    ...(random.chance(0.02) ? { Segment: random.integer(0, 5) } : {}),
    ...(random.chance(0.02) ? { TotalSegments: random.integer(0, 5) } : {}),
  };
  return read('Scan', body, false, 200);
}
