import { isFor } from '../../../infra/stream-filter.ts';
import { followOwed } from '../../../lib/background/follow-owed.ts';
import { fastReactions, slowReactions } from '../../../lib/background/reactions.ts';
import { parseJson, toJson } from '../../../lib/json.ts';
import type { Item } from '../../../lib/store/items/item.ts';
import { openStore, writerOf } from '../../../lib/store/open-store.ts';
import { type PortableRecord, toItem, toRecord } from '../../../lib/store/portable/portable-record.ts';
import { itemsPerPut, putItems } from '../../../lib/store/portable/put-items.ts';
import { scanItems } from '../../../lib/store/portable/scan-items.ts';
import { consumers, endOfOwed, OwedPacks } from '../../../lib/store/stream/owed-changes.ts';
import { settleRecords } from '../../../lib/store/stream/read-stream.ts';
import type { StreamRecord } from '../../../lib/store/stream/record.ts';
/** The export of a catalogue and its load into an empty table (moving), as far as the service does it. */
import { oweChangesSince } from '../../../local/owe-changes.ts';
import { fromJsonForm, toJsonForm } from '../../../moving/export/json-form.ts';

/** A catalogue as texts. */
export type Backup = readonly { readonly kind: string; readonly text: string }[];

/** Ends all bulk requests, as nobody works on them any more. */
export async function settleAll(): Promise<void> {
  await openStore().recoverBatches(true);
}

/**
 * Exports the catalogue.
 *
 * @param waiting The records of the stream that each consumer has not followed.
 */
export async function exportAll(waiting: Readonly<Record<'fast' | 'slow', readonly unknown[]>>): Promise<Backup> {
  const store = openStore();
  const items: Item[] = await Array.fromAsync(scanItems(store));
  for (const consumer of consumers) {
    const wanted = (waiting[consumer] as readonly StreamRecord[]).filter((record) => isFor(consumer, record));
    const packs = new OwedPacks(consumer, await endOfOwed(store.begin().table.latest(), consumer));
    for (const record of await settleRecords(writerOf(store), wanted)) items.push(...packs.add(record));
    items.push(...packs.end());
  }
  return items.map((item) => {
    const { kind, record } = toRecord(item);
    return { kind, text: toJson(toJsonForm(record)) };
  });
}

/** Puts a backup into an empty table. */
export async function load(backup: Backup): Promise<void> {
  const items = backup.map(({ kind, text }) => toItem(kind, fromJsonForm(parseJson(text)) as PortableRecord));
  for (let start = 0; start < items.length; start += itemsPerPut) {
    await putItems(openStore(), items.slice(start, start + itemsPerPut));
  }
}

/** Finds what may not have been followed, because the stream was lost. */
export async function catchUp(): Promise<void> {
  await oweChangesSince(openStore());
}

/** Follows what the catalogue owes since it was exported; false: something is left. */
export async function followAllOwed(): Promise<boolean> {
  const { done } = await followOwed(openStore(), { fast: fastReactions, slow: slowReactions });
  return done;
}
