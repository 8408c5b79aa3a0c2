import { unavailable } from '../../errors.ts';
import { backOff } from '../../retry.ts';
import type { Key } from '../keys/key-parts.ts';
import type { TableClient } from './client.ts';
import { BatchGetCommand } from './commands.ts';
import type { Item } from './item.ts';

/** How many keys one request may name. */
export const keysPerGet = 100;

/** How often keys are requested while some stay unprocessed. */
const policy = { attempts: 9, firstPauseMs: 50, longestPauseMs: 6_400 };

/**
 * The stored items of up to {@link keysPerGet} keys, strongly consistent; keys without an item are left out. Retries with
 * backoff what the table leaves unprocessed.
 *
 * @throws DatabaseException (503) when keys stay unprocessed.
 */
export async function batchGet(client: TableClient, tableName: string, wanted: readonly Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let remaining: readonly Record<string, unknown>[] = wanted.map(({ PK, SK }) => ({ PK, SK }));
  for (let attempt = 0; remaining.length > 0; attempt += 1) {
    if (attempt === policy.attempts) throw unavailable();
    if (attempt > 0) await backOff(policy, attempt);
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [...remaining], ConsistentRead: true } } }),
    );
    found.push(...((Responses?.[tableName] ?? []) as Item[]));
    remaining = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return found;
}
