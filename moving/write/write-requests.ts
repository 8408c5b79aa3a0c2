import { chunksOf } from '../../lib/chunks.ts';
import type { ItemKey, PreparedItem } from './prepared-item.ts';
import { itemsPerRequest } from './target.ts';

/** The bodies of the `BatchWriteItem` requests that put items. */
export function putRequests(tableName: string, items: readonly PreparedItem[]): string[] {
  return toBodies(
    tableName,
    items.map(({ text }) => `{"PutRequest":{"Item":${text}}}`),
  );
}

/** The bodies of the `BatchWriteItem` requests that delete items. */
export function deleteRequests(tableName: string, keys: readonly ItemKey[]): string[] {
  return toBodies(
    tableName,
    keys.map(({ PK, SK }) => `{"DeleteRequest":{"Key":${JSON.stringify({ PK: { S: PK }, SK: { S: SK } })}}}`),
  );
}

function toBodies(tableName: string, requests: readonly string[]): string[] {
  return chunksOf(requests, itemsPerRequest).map(
    (chunk) => `{"RequestItems":{${JSON.stringify(tableName)}:[${chunk.join(',')}]}}`,
  );
}
