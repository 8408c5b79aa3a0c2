import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';

import { parseJson } from '../../../lib/json.ts';
import { toNatives } from '../../../lib/store/items/attribute-values.ts';
import type { Item } from '../../../lib/store/items/item.ts';
import { termOf } from '../../../lib/store/items/metadata-term.ts';
import { orderedTermOf } from '../../../lib/store/items/ordered-term.ts';
import { didOf, isDidItem } from '../../../lib/store/keys/did-keys.ts';
import { textOfKey } from '../../../lib/store/keys/key-parts.ts';
import { metadataIndexKeys } from '../../../lib/store/keys/metadata-index-keys.ts';
import { localClient } from '../../../local/local-client.ts';
import { ownEngine } from '../../support/run.ts';

/** The entries of the metadata index of a table, and the entries that it should have, by their keys. */
export interface IndexOfTable {
  readonly found: Record<string, unknown>;
  readonly expected: Record<string, unknown>;
  /** The keys of the entries that each DID has recorded. */
  readonly noted: Record<string, string[]>;
}

/**
 * Scans a table without concurrent writes, and derives the index from the DIDs alone.
 *
 * @param indexed The configured keys.
 * @param isFree Whether a free key is indexed; absent: all are.
 */
export async function indexOfTable(
  tableName: string,
  indexed: readonly string[],
  isFree: (key: string) => boolean = () => true,
): Promise<IndexOfTable> {
  const items = await scan(tableName);
  const found: Record<string, unknown> = {};
  for (const { PK, SK, batch: _batch, foldedAt: _foldedAt, ...rest } of items)
    if (/^MV?#/.test(PK)) found[textOfKey({ PK, SK })] = rest;
  const expected: Record<string, unknown> = {};
  const noted: Record<string, string[]> = {};
  for (const item of items.filter(isDidItem)) {
    const values = indexed.flatMap((key) => valueOf(item, key));
    const places = item['indexed'] as Record<string, string> | undefined;
    if (places !== undefined) noted[textOfKey(item)] = Object.keys(places);
    if (item['dying'] === true) continue;
    const isFile = item['type'] === 'FILE';
    const entry = {
      type: item['type'],
      ...(isFile ? { bytes: item['bytes'] } : {}),
      ...Object.fromEntries(
        values.map(({ attribute, stored, long }) => (long ? ['partial', true] : [attribute, stored])),
      ),
    };
    for (const { key, attribute, stored, value, long } of freeValuesOf(item)) {
      const term = orderedTermOf(value);
      if (term === undefined || !isFree(key)) continue;
      const { type, ...rest } = { type: item['type'], ...(isFile ? { bytes: item['bytes'] } : {}) };
      expected[textOfKey(metadataIndexKeys.valueEntry(didOf(item), isFile, key, term))] = {
        type,
        ...rest,
        ...(long ? { partial: true } : { [attribute]: stored }),
      };
    }
    for (const { key, term } of values) {
      expected[textOfKey(metadataIndexKeys.entry(didOf(item), isFile, key, term))] = entry;
    }
  }
  return { found, expected, noted };
}

function valueOf(item: Item, key: string) {
  for (const attribute of [`col:${key}`, `meta:${key}`]) {
    const { stored, value, long } = readValue(item, attribute);
    const term = termOf(value);
    if (term !== undefined) return [{ key, attribute, stored, term, long }];
  }
  return [];
}

function freeValuesOf(item: Item) {
  return Object.keys(item)
    .filter((attribute) => attribute.startsWith('meta:'))
    .map((attribute) => {
      const { stored, value, long } = readValue(item, attribute);
      return { key: attribute.slice('meta:'.length), attribute, stored, value, long };
    });
}

function readValue(item: Item, attribute: string) {
  const stored = item[attribute];
  const packed = stored as { json?: string } | null | undefined;
  const value = typeof packed === 'object' ? parseJson(packed?.json ?? 'null') : stored;
  return { stored, value, long: typeof value === 'string' && value.length > 256 };
}

async function scan(TableName: string): Promise<Item[]> {
  const client = localClient((await ownEngine()).client);
  const items: Item[] = [];
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: start }));
    items.push(...(page.Items ?? []).map((item) => toNatives(item) as unknown as Item));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}
