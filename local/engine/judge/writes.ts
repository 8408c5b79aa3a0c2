import type { Item } from '../src/values/attribute-value.ts';
import { anyCondition } from './expressions.ts';
import { anyItem } from './items.ts';
import type { Random } from './random.ts';
import { capacityMember, distinctKeys, maybeSpoil } from './reads.ts';
import { type Body, type JudgedRequest, Placeholders } from './request.ts';
import { type JudgedTable, pickKey, pickTable } from './tables.ts';
import { anyUpdate } from './updates.ts';

function write(operation: JudgedRequest['operation'], body: Body): JudgedRequest {
  return { operation, body, touches: [], mistaken: false, ordered: true, pages: 1 };
}

function conditionMember(random: Random, placeholders: Placeholders, table: JudgedTable, likelihood: number): Body {
  if (!random.chance(likelihood)) return {};
  // Most items exist.
  const exists = random.pick(['attribute_exists', 'attribute_exists', 'attribute_not_exists']);
  const text = random.chance(0.5)
    ? `${exists}(${placeholders.name(table.hash.name)})`
    : anyCondition(random, placeholders);
  return { ConditionExpression: maybeSpoil(random, text) };
}

function failureMember(random: Random): Body {
  const choice = random.weighted([
    [3, undefined],
    [3, 'ALL_OLD'],
    [1, 'NONE'],
    [0.05, 'ALL_NEW'],
  ] as const);
  return choice === undefined ? {} : { ReturnValuesOnConditionCheckFailure: choice };
}

function costMembers(random: Random): Body {
  return { ...capacityMember(random), ...(random.chance(0.05) ? { ReturnItemCollectionMetrics: 'SIZE' } : {}) };
}

function returnMember(random: Random, right: readonly string[], wrong: readonly string[]): Body {
  if (random.chance(0.4)) return {};
  return { ReturnValues: random.chance(0.98) ? random.pick(right) : random.pick(wrong) };
}

/** A request that puts an item, often over an existing one. */
export function anyPut(random: Random): JudgedRequest {
  const table = pickTable(random);
  const key = pickKey(random, table);
  const body = {
    ...putBody(random, table, key, 0.35),
    ...returnMember(random, ['NONE', 'ALL_OLD'], ['ALL_NEW', 'UPDATED_OLD', 'all_old']),
    ...costMembers(random),
  };
  return write('PutItem', body);
}

function putBody(random: Random, table: JudgedTable, key: Item, conditional: number): Body {
  const placeholders = new Placeholders();
  return {
    TableName: table.name,
    Item: anyItem(random, table, key),
    ...conditionMember(random, placeholders, table, conditional),
    ...failureMember(random),
    ...placeholders.toBody(),
  };
}

/** A request that updates an item, or creates it. */
export function anyUpdateItem(random: Random): JudgedRequest {
  const table = pickTable(random);
  const key = pickKey(random, table);
  const body = {
    ...updateBody(random, table, key, 0.3),
    ...returnMember(random, ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'], ['NEW']),
    ...costMembers(random),
  };
  return write('UpdateItem', body);
}

function updateBody(random: Random, table: JudgedTable, key: Item, conditional: number): Body {
  const placeholders = new Placeholders();
  return {
    TableName: table.name,
    Key: key,
    ...(random.chance(0.98)
      ? { UpdateExpression: maybeSpoil(random, anyUpdate(random, placeholders, table, key)) }
      : {}),
    ...conditionMember(random, placeholders, table, conditional),
    ...failureMember(random),
    ...placeholders.toBody(),
  };
}

/** A request that deletes an item, which may not exist. */
export function anyDelete(random: Random): JudgedRequest {
  const table = pickTable(random);
  const key = pickKey(random, table);
  const body = {
    ...keyedBody(random, table, key, 0.4),
    ...returnMember(random, ['NONE', 'ALL_OLD'], ['ALL_NEW', 'UPDATED_NEW']),
    ...costMembers(random),
  };
  return write('DeleteItem', body);
}

function keyedBody(random: Random, table: JudgedTable, key: Item, conditional: number): Body {
  const placeholders = new Placeholders();
  return {
    TableName: table.name,
    Key: key,
    ...conditionMember(random, placeholders, table, conditional),
    ...failureMember(random),
    ...placeholders.toBody(),
  };
}

/** A transaction of writes; rarely it names an item twice, or repeats its token. */
export function anyTransactWrite(random: Random): JudgedRequest {
  const chosen = [...new Set([pickTable(random), pickTable(random)])];
  const places = chosen.flatMap((table) =>
    distinctKeys(random, table, random.chance(0.1) ? 12 : 3).map((key) => ({ table, key })),
  );
  const actions = places.map(({ table, key }) =>
    random.weighted<() => Body>([
      [4, () => ({ Put: putBody(random, table, key, 0.12) })],
      [4, () => ({ Update: updateBody(random, table, key, 0.12) })],
      [3, () => ({ Delete: keyedBody(random, table, key, 0.12) })],
      [3, () => ({ ConditionCheck: keyedBody(random, table, key, 0.98) })],
      [0.05, () => ({ Put: putBody(random, table, key, 0), Delete: keyedBody(random, table, key, 0) })],
      [0.05, () => ({})],
    ])(),
  );
  const body = {
    TransactItems: actions,
    ...(random.chance(0.1) ? { ClientRequestToken: `token-${random.integer(0, 60)}` } : {}),
    ...costMembers(random),
  };
  return write('TransactWriteItems', body);
}

/** Puts and deletes without conditions; rarely two of the same item. */
export function anyBatchWrite(random: Random): JudgedRequest {
  const chosen = [...new Set([pickTable(random), pickTable(random)])];
  const requested = chosen.map((table) => {
    const keys = distinctKeys(
      random,
      table,
      random.weighted([
        [20, 4],
        [2, 12],
        [0.3, 30],
      ]),
    );
    const actions = keys.map((key) =>
      random.chance(0.7) ? { PutRequest: { Item: anyItem(random, table, key) } } : { DeleteRequest: { Key: key } },
    );
    return [table.name, actions] as const;
  });
  return write('BatchWriteItem', { RequestItems: Object.fromEntries(requested), ...costMembers(random) });
}
