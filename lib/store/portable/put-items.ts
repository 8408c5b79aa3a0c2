import { setTimeout as sleep } from 'node:timers/promises';

import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';

import { unavailable } from '../../errors.ts';
import { toAttributes } from '../items/attribute-values.ts';
import type { Item } from '../items/item.ts';
import { type Store, writerOf } from '../open-store.ts';

/** How many items one request may put. */
export const itemsPerPut = 25;

/** How often what a table did not take is sent again, and the first pause in milliseconds; it doubles. */
const maxAttempts = 10;
const firstPauseMs = 50;

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
    if (attempt === maxAttempts) throw unavailable();
    if (attempt > 0) await sleep(firstPauseMs * 2 ** (attempt - 1));
    const { UnprocessedItems } = await client.sdk.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } } as never),
    );
    requests = UnprocessedItems?.[tableName] ?? [];
  }
}
