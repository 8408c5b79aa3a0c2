import { isFor } from '../infra/stream-filter.ts';
import { chunksOf } from '../lib/chunks.ts';
import { endOfEvents } from '../lib/store/entities/event.ts';
import type { Item } from '../lib/store/items/item.ts';
import type { Store } from '../lib/store/open-store.ts';
import { findChangesSince } from '../lib/store/portable/changes-since.ts';
import { itemsPerPut, putItems } from '../lib/store/portable/put-items.ts';
import { consumers, endOfOwed, OwedPacks } from '../lib/store/stream/owed-changes.ts';

/**
 * Changes within this time before the last event may not have been followed: Lambda gives up records that are older than twelve hours
 * (stream-consumer.ts), and clocks differ.
 */
const longestLagMs = 13 * 3_600_000;

/** The result of a search for changes that were not followed. */
interface OweResult {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly changes: number;
}

/**
 * Finds the changes of a table since a time, and leaves them in it for its consumers to follow.
 *
 * @param since In milliseconds since 1970; by default the last event, which tells until when changes were followed, and the longest
 *   time by which that may be late.
 */
export async function oweChangesSince(store: Store, since?: number): Promise<OweResult> {
  const { table } = store.begin();
  const from = since ?? Math.max(0, ((await endOfEvents(table))?.at ?? 0) - longestLagMs);
  const packs = await Promise.all(
    consumers.map(async (consumer) => ({ consumer, pack: new OwedPacks(consumer, await endOfOwed(table, consumer)) })),
  );
  let changes = 0;
  for await (const record of findChangesSince(store.begin(), from)) {
    changes += 1;
    for (const { consumer, pack } of packs) if (isFor(consumer, record)) await put(store, pack.add(record));
  }
  for (const { pack } of packs) await put(store, pack.end());
  return { since: from, changes };
}

async function put(store: Store, items: readonly Item[]): Promise<void> {
  for (const chunk of chunksOf(items, itemsPerPut)) await putItems(store, chunk);
}
