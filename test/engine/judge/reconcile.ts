import type { Item } from '../../../infra/local/engine/values/attribute-value.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engines } from './exchange.ts';
import { identify, isObject } from './normalise.ts';
import type { JudgedRequest, Touched } from './request.ts';
import { type JudgedTable, keyNames, tables } from './tables.ts';

/**
 * Gives the left engine the items of the right one, where a request may have left different ones: what follows shall not
 * differ because of it.
 *
 * @returns the items that were different; their stream records differ from now on.
 */
export async function reconcile(engines: Engines, touches: JudgedRequest['touches']): Promise<Touched[]> {
  const changed: Touched[] = [];
  for (const touched of touches === 'anything' ? await listAll(engines) : touches) {
    if (await reconcileItem(engines, touched)) changed.push(touched);
  }
  return changed;
}

/**
 * Gives the left engine the items with nothing but a key that the right one makes for an update that only removes: that
 * is known, and no answer need tell it.
 *
 * @returns these items.
 */
export async function reconcileEmptyItems(engines: Engines, request: JudgedRequest): Promise<Touched[]> {
  if (!/"UpdateExpression":/.test(JSON.stringify(request.body))) return [];
  const changed: Touched[] = [];
  for (const touched of request.touches === 'anything' ? await listAll(engines) : request.touches) {
    if (await reconcileItem(engines, touched, true)) changed.push(touched);
  }
  return changed;
}

async function reconcileItem({ left, right }: Engines, { table, key }: Touched, onlyEmpty = false): Promise<boolean> {
  const [found, wanted] = await Promise.all([getItem(left, table, key), getItem(right, table, key)]);
  if (identify(found) === identify(wanted)) return false;
  const isEmpty = found === undefined && Object.keys(wanted ?? {}).length === Object.keys(key).length;
  if (onlyEmpty && !isEmpty) return false;
  if (wanted === undefined) await left.send('DeleteItem', { TableName: table, Key: key });
  else await left.send('PutItem', { TableName: table, Item: wanted });
  return true;
}

async function getItem(endpoint: Endpoint, table: string, key: Item): Promise<unknown> {
  const { body } = await endpoint.send('GetItem', { TableName: table, Key: key, ConsistentRead: true });
  return isObject(body) ? body['Item'] : undefined;
}

async function listAll({ left, right }: Engines): Promise<Touched[]> {
  const all = new Map<string, Touched>();
  for (const table of tables) {
    for (const endpoint of [left, right]) {
      for (const key of await listKeys(endpoint, table))
        all.set(JSON.stringify([table.name, key]), { table: table.name, key });
    }
  }
  return [...all.values()];
}

async function listKeys(endpoint: Endpoint, table: JudgedTable): Promise<Item[]> {
  const names = keyNames(table, false);
  const keys: Item[] = [];
  let startKey: unknown;
  do {
    const start = startKey === undefined ? {} : { ExclusiveStartKey: startKey };
    const { body } = await endpoint.send('Scan', { TableName: table.name, ...start });
    const { Items: items, LastEvaluatedKey: last } = body as { Items?: Item[]; LastEvaluatedKey?: Item };
    for (const item of items ?? [])
      keys.push(Object.fromEntries(names.map((name) => [name, item[name] as Item[string]])));
    startKey = last;
  } while (startKey !== undefined);
  return keys;
}
