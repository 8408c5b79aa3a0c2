import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';

import { unavailable } from '../../errors.ts';
import { backOff } from '../../retry.ts';
import { toAttributes } from '../items/attribute-values.ts';
import type { Item } from '../items/item.ts';
import { type Store, writerOf } from '../open-store.ts';

/** How many items one request may put. */
export const itemsPerPut = 25;

/** How often items are sent that a table does not take. */
const policy = { attempts: 10, firstPauseMs: 100, longestPauseMs: 25_600 };

/**
 * Puts up to {@link itemsPerPut} items, past all rules of the catalogue: for the load of an export into a table without
 * readers.
 *
 * @throws DatabaseException (503) if the table does not take them.
 */
export async function putItems(store: Store, items: readonly Item[]): Promise<void> {
  const { client, tableName } = writerOf(store);
  let requests: readonly unknown[] = items.map((item) => ({ PutRequest: { Item: toAttributes(item) } }));
  for (let attempt = 0; requests.length > 0; attempt += 1) {
    if (attempt === policy.attempts) throw unavailable();
    if (attempt > 0) await backOff(policy, attempt);
    const { UnprocessedItems } = await client.sdk.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } } as never),
    );
    requests = UnprocessedItems?.[tableName] ?? [];
  }
}
