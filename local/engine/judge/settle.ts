import type { Item } from '../src/values/attribute-value.ts';
import type { Difference } from './compare.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engines, Exchange } from './exchange.ts';
import { listNamed, type NamedItem } from './named-items.ts';
import { identify, isObject, normaliseValue } from './normalise.ts';
import type { Body, JudgedRequest } from './request.ts';
import type { State } from './state.ts';
import { type JudgedTable, keyNames, tables } from './tables.ts';

/** The effect of a request on an item in both engines. */
export interface Effect extends NamedItem {
  readonly before: Item | undefined;
  readonly left: Item | undefined;
  readonly right: Item | undefined;
}

/**
 * Reads the effects of a request on the items that it names. If they differ, the left engine gets the right one's item,
 * so that later requests do not differ because of it.
 *
 * @returns the effects; empty for a request that both engines refused before they read any item.
 * @throws Error if the left engine does not accept an item of the right one.
 */
export async function settle(
  engines: Engines,
  state: State,
  request: JudgedRequest,
  exchange: Exchange,
): Promise<Effect[]> {
  const effects: Effect[] = [];
  const changed = await listChanged(engines, state, request, exchange);
  // A request may name an item twice, such as a batch of which one statement is refused.
  for (const named of changed) effects.push(await readEffect(engines, state, named));
  for (const effect of effects) {
    if (differs(effect)) await heal(engines.left, effect);
    state.set(effect, differs(effect) ? effect.right : effect.left);
  }
  return effects;
}

/** Whether an item differs between the engines. */
export const differs = ({ left, right }: Effect) => identify(left) !== identify(right);

/** The differing items, as differences of the answer's effect. */
export function listDifferences(effects: readonly Effect[]): Difference[] {
  return effects.filter(differs).map(({ table, key, left, right }) => ({
    path: `item ${table} ${JSON.stringify(key)}`,
    left: normaliseValue(left),
    right: normaliseValue(right),
  }));
}

async function listChanged(
  engines: Engines,
  state: State,
  request: JudgedRequest,
  { left, right }: Exchange,
): Promise<NamedItem[]> {
  const isRefused = left.error !== undefined && right.error !== undefined;
  const isBatch = request.operation.startsWith('Batch');
  if (isRefused && !isBatch) return [];
  const isStatement = request.operation.endsWith('ExecuteStatement');
  // A mistake in a statement may lead to any item.
  return isStatement && request.mistaken && !isRefused ? listAll(engines, state) : listNamed(request);
}

async function readEffect({ left, right }: Engines, state: State, named: NamedItem): Promise<Effect> {
  const [ours, theirs] = await Promise.all([readItem(left, named), readItem(right, named)]);
  return { ...named, before: state.get(named), left: ours, right: theirs };
}

async function readItem(endpoint: Endpoint, { table, key }: NamedItem): Promise<Item | undefined> {
  const { body } = await endpoint.send('GetItem', { TableName: table, Key: key, ConsistentRead: true });
  return isObject(body) ? (body['Item'] as Item | undefined) : undefined;
}

async function heal(left: Endpoint, { table, key, right }: Effect): Promise<void> {
  const { status, body } =
    right === undefined
      ? await left.send('DeleteItem', { TableName: table, Key: key })
      : await left.send('PutItem', { TableName: table, Item: right });
  if (status !== 200)
    throw new Error(`the left engine does not take an item of the right one: ${JSON.stringify(body)}`);
}

/** The items that one of the engines has, or that both had. */
async function listAll({ left, right }: Engines, state: State): Promise<NamedItem[]> {
  const all = new Map<string, NamedItem>();
  for (const table of tables) {
    const names = keyNames(table, false);
    const items = [state.list(table.name), await scanAll(left, table), await scanAll(right, table)].flat();
    for (const item of items) {
      const key = Object.fromEntries(names.map((name) => [name, item[name] as Item[string]]));
      all.set(`${table.name} ${identify(key)}`, { table: table.name, key, intent: 'statement' });
    }
  }
  return [...all.values()];
}

async function scanAll(endpoint: Endpoint, { name }: JudgedTable): Promise<Item[]> {
  const found: Item[] = [];
  let start: Body = {};
  do {
    const { body } = await endpoint.send('Scan', { TableName: name, ...start });
    const { Items: items = [], LastEvaluatedKey: last } = body as { Items?: Item[]; LastEvaluatedKey?: Item };
    found.push(...items);
    start = last === undefined ? {} : { ExclusiveStartKey: last };
  } while (Object.keys(start).length > 0);
  return found;
}
