import { batchGet, keysPerGet } from '../items/batch-get.ts';
import type { Item } from '../items/item.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';
import { listChanged } from './list-batches.ts';
import { isolate, type Run } from './recovery-run.ts';
import { foldingTime, foldStaged } from './settle.ts';

/** An item, and the committed batches that may have left a change on it. */
interface Place {
  readonly key: Key;
  readonly batches: Set<string>;
}

/**
 * Folds what committed batches have left. An item that many of them have changed is read once.
 *
 * @param records Those of committed batches that changed something.
 * @returns The batches of which something is left all the same.
 */
export async function foldCommitted(run: Run, records: readonly Item[]): Promise<Set<string>> {
  const left = new Set<string>();
  const due = records.filter(({ at }) => run.alone || Number(at) < run.now - foldingTime);
  const places = await findPlaces(run, due, left);
  const chunks: Place[][] = [];
  for (let start = 0; start < places.length; start += keysPerGet) chunks.push(places.slice(start, start + keysPerGet));
  await isolate(run, chunks, async (chunk) => {
    const items = await orLeft(chunk, left, async () => {
      if (Date.now() > run.until) return [];
      return batchGet(
        run.writer.client,
        run.writer.tableName,
        chunk.map(({ key }) => key),
      );
    });
    const byKey = new Map(chunk.map((place) => [textOfKey(place.key), place]));
    await isolate(run, items, async (item) => {
      const place = byKey.get(textOfKey(item));
      if (place !== undefined) await orLeft([place], left, () => foldStaged(run.writer, item, place.batches));
    });
    if (Date.now() > run.until) leave(chunk, left);
  });
  return left;
}

async function findPlaces(run: Run, records: readonly Item[], left: Set<string>): Promise<Place[]> {
  const places = new Map<string, Place>();
  await isolate(run, records, async (record) => {
    left.add(record.SK);
    for (const key of await listChanged(run.writer, record)) {
      const place = places.get(textOfKey(key)) ?? { key, batches: new Set() };
      places.set(textOfKey(key), place);
      place.batches.add(record.SK);
    }
    left.delete(record.SK);
  });
  return [...places.values()];
}

async function orLeft<T>(places: readonly Place[], left: Set<string>, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    leave(places, left);
    throw error;
  }
}

function leave(places: readonly Place[], left: Set<string>): void {
  for (const { batches } of places) for (const batch of batches) left.add(batch);
}
