import { chunksOf } from '../../chunks.ts';
import { clock } from '../../clock.ts';
import { batchGet, keysPerGet } from '../items/batch-get.ts';
import type { Item } from '../items/item.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';
import { foldingTimeMs, foldStaged } from './fold.ts';
import { listChanged } from './list-batches.ts';
import { forEachIsolated, type RecoveryRun } from './recovery-run.ts';

/** An item, and the committed batches that may still have a staged change on it. */
interface ChangedItem {
  readonly key: Key;
  readonly batches: Set<string>;
}

/**
 * Folds the staged changes of committed batches. An item that several of them have changed is read once.
 *
 * @param records The records of committed batches with changes.
 * @returns The batches whose changes are not all folded.
 */
export async function foldCommitted(run: RecoveryRun, records: readonly Item[]): Promise<Set<string>> {
  const unfolded = new Set<string>();
  const due = records.filter(({ at }) => run.alone || Number(at) < run.now - foldingTimeMs);
  const changedItems = await findChangedItems(run, due, unfolded);
  await forEachIsolated(run, chunksOf(changedItems, keysPerGet), async (chunk) => {
    const items = await keepOnFailure(chunk, unfolded, async () => {
      if (clock.now() > run.until) return [];
      return batchGet(
        run.writer.client,
        run.writer.tableName,
        chunk.map(({ key }) => key),
      );
    });
    const byKey = new Map(chunk.map((changedItem) => [textOfKey(changedItem.key), changedItem]));
    await forEachIsolated(run, items, async (item) => {
      const changedItem = byKey.get(textOfKey(item));
      if (changedItem !== undefined)
        await keepOnFailure([changedItem], unfolded, () => foldStaged(run.writer, item, changedItem.batches));
    });
    if (clock.now() > run.until) keepAll(chunk, unfolded);
  });
  return unfolded;
}

async function findChangedItems(
  run: RecoveryRun,
  records: readonly Item[],
  unfolded: Set<string>,
): Promise<ChangedItem[]> {
  const changedItems = new Map<string, ChangedItem>();
  await forEachIsolated(run, records, async (record) => {
    unfolded.add(record.SK);
    for (const key of await listChanged(run.writer, record)) {
      const changedItem = changedItems.get(textOfKey(key)) ?? { key, batches: new Set() };
      changedItems.set(textOfKey(key), changedItem);
      changedItem.batches.add(record.SK);
    }
    unfolded.delete(record.SK);
  });
  return [...changedItems.values()];
}

async function keepOnFailure<T>(
  changedItems: readonly ChangedItem[],
  unfolded: Set<string>,
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await task();
  } catch (error) {
    keepAll(changedItems, unfolded);
    throw error;
  }
}

function keepAll(changedItems: readonly ChangedItem[], unfolded: Set<string>): void {
  for (const { batches } of changedItems) for (const batch of batches) unfolded.add(batch);
}
