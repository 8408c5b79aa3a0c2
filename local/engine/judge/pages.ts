import type { AttributeValue, Item } from '../src/values/attribute-value.ts';
import { entryOf, sizeOf } from './costs.ts';
import { identify, isObject, type NormalAnswer } from './normalise.ts';
import type { JudgedRequest } from './request.ts';
import type { State } from './state.ts';
import { type JudgedIndex, type JudgedTable, keyNames, tables } from './tables.ts';

const fullPageBytes = 2 ** 20;

/** An item in the order of a query. */
interface Row {
  readonly item: Item;
  readonly bytes: number;
}

/**
 * Whether a page of a query or SELECT ended with the item that made it larger than 1 MB. What a page reads has no gaps,
 * so its items are those before its last key.
 */
export function endsAtFullSize(request: JudgedRequest, { body }: NormalAnswer, state: State): boolean {
  const last = body['LastEvaluatedKey'];
  const table = tables.find(({ name }) => name === tableOf(request));
  if (table === undefined || !isObject(last)) return false;
  const index = table.indexes.find(({ name }) => name === request.body['IndexName']);
  const rows = listRows(table, index, last as Item, state);
  if (request.body['ScanIndexForward'] === false) rows.reverse();
  const key = identify(keyOf(table, last as Item));
  const end = rows.findIndex(({ item }) => identify(keyOf(table, item)) === key) + 1;
  const scanned = Number(body['ScannedCount'] ?? end);
  const sizes = rows.slice(end - scanned, end).map(({ bytes }) => bytes);
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  return end >= scanned && bytes > fullPageBytes && bytes - (sizes.at(-1) ?? 0) <= fullPageBytes;
}

function tableOf({ body }: JudgedRequest): unknown {
  return body['TableName'] ?? /\bFROM "(\w+)"/.exec(String(body['Statement']))?.[1];
}

const keyOf = (table: JudgedTable, item: Item) => keyNames(table, false).map((name) => item[name]);

/** The rows of a table or index in the partition of a key, in ascending order. */
function listRows(table: JudgedTable, index: JudgedIndex | undefined, key: Item, state: State): Row[] {
  const { hash, range } = index ?? table;
  const isHere = (item: Item) => identify(item[hash.name]) === identify(key[hash.name]);
  const rows = state.list(table.name).flatMap((item): Row[] => {
    const shown = index === undefined ? item : entryOf(table, index, item)?.shown;
    return shown === undefined || !isHere(item) ? [] : [{ item, bytes: sizeOf(shown) }];
  });
  return range === undefined ? rows : rows.sort((one, other) => compare(one.item[range.name], other.item[range.name]));
}

function compare(left: AttributeValue | undefined, right: AttributeValue | undefined): number {
  const [one, other] = [left, right].map((value) => Object.values(value ?? {})[0] as unknown);
  if (left !== undefined && 'N' in left) return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
