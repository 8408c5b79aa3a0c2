import { setTimeout as sleep } from 'node:timers/promises';

import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../../errors.ts';
import type { Key } from '../keys/key-parts.ts';
import type { Item } from './item.ts';

/** Keys that a request may name. */
export const keysPerGet = 100;

/**
 * The items of up to {@link keysPerGet} keys as they lie in the table, strongly consistent; those that do not exist are
 * left out.
 *
 * @throws DatabaseException (503) when the table goes on to leave some out.
 */
export async function batchGet(
  client: DynamoDBDocumentClient,
  tableName: string,
  wanted: readonly Key[],
): Promise<Item[]> {
  const found: Item[] = [];
  let open: readonly Record<string, unknown>[] = wanted.map(({ PK, SK }) => ({ PK, SK }));
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt > 8) throw unavailable();
    if (attempt > 0) await sleep(Math.random() * 25 * 2 ** attempt);
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [...open], ConsistentRead: true } } }),
    );
    found.push(...((Responses?.[tableName] ?? []) as Item[]));
    open = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return found;
}
