import type { Item } from '../src/values/attribute-value.ts';
import { isObject } from './normalise.ts';
import type { Body, JudgedRequest, Touched } from './request.ts';
import { tables } from './tables.ts';

/** The action of a request on an item. */
export type Intent = 'put' | 'update' | 'delete' | 'check' | 'statement';

/** An item that a request writes or checks. */
export interface NamedItem extends Touched {
  readonly intent: Intent;
}

/** The members of a request's body that name items, with the action on them. */
const intents: Readonly<Record<string, Intent>> = {
  Put: 'put',
  PutRequest: 'put',
  Update: 'update',
  Delete: 'delete',
  DeleteRequest: 'delete',
  ConditionCheck: 'check',
};

/** The items that a request writes or checks, if they are named with the keys of their tables. */
export function listNamed({ operation, body, touches }: JudgedRequest): NamedItem[] {
  switch (operation) {
    case 'PutItem':
      return nameOne(body['TableName'], body, 'put');
    case 'UpdateItem':
      return nameOne(body['TableName'], body, 'update');
    case 'DeleteItem':
      return nameOne(body['TableName'], body, 'delete');
    case 'TransactWriteItems':
      return membersOf(body['TransactItems']).flatMap((part) => nameParts(part));
    case 'BatchWriteItem':
      return Object.entries(body['RequestItems'] ?? {}).flatMap(([table, requests]) =>
        membersOf(requests).flatMap((part) => nameParts(part, table)),
      );
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
      return touches.map((touched) => ({ ...touched, intent: 'statement' }));
    default:
      return [];
  }
}

/** The items that a request puts, with the names of their tables. */
export function listPut({ operation, body }: JudgedRequest): { readonly table: string; readonly item: Item }[] {
  const of = (table: unknown, put: unknown) =>
    isObject(put) && isObject(put['Item']) ? [{ table: String(table), item: put['Item'] as Item }] : [];
  if (operation === 'PutItem') return of(body['TableName'], body);
  return membersOf(body['TransactItems']).flatMap((part) =>
    isObject(part) && isObject(part['Put']) ? of(part['Put']['TableName'], part['Put']) : [],
  );
}

/** The keys that a request reads, or that its writes name, with the names of their tables. */
export function listKeys(request: JudgedRequest): unknown[] {
  const { RequestItems: requested, TransactItems: parts } = request.body;
  if (request.operation === 'TransactGetItems' && Array.isArray(parts)) {
    return parts.map(({ Get: get }: Body) => (isObject(get) ? [get['TableName'], get['Key']] : get));
  }
  if (request.operation !== 'BatchGetItem') return listNamed(request).map(({ table, key }) => [table, key]);
  return Object.entries(requested ?? {}).flatMap(([table, { Keys: keys }]: [string, { Keys: unknown[] }]) =>
    keys.map((key) => [table, key]),
  );
}

const membersOf = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);

function nameParts(part: unknown, table?: string): NamedItem[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([member, action]) => {
    const intent = intents[member];
    return intent === undefined || !isObject(action) ? [] : nameOne(table ?? action['TableName'], action, intent);
  });
}

function nameOne(tableName: unknown, holder: object, intent: Intent): NamedItem[] {
  const table = tables.find(({ name }) => name === tableName);
  const { Item: item, Key: given = item } = holder as { readonly Item?: unknown; readonly Key?: unknown };
  if (table === undefined || !isObject(given)) return [];
  const attributes = [table.hash, ...(table.range === undefined ? [] : [table.range])];
  const key: Item = {};
  for (const { name, type } of attributes) {
    const value = given[name];
    const content = isObject(value) ? value[type] : undefined;
    // DynamoDB Local accepts other scalars as texts; both engines ignore further members of a value.
    if (!['string', 'number', 'boolean'].includes(typeof content)) return [];
    key[name] = { [type]: String(content) } as Item[string];
  }
  return [{ table: table.name, key, intent }];
}
