import { stagedBatches, type Item } from '../items/item.ts';
import { Collision, keyOf, LostRace, type Write } from '../items/plan.ts';
import type { BatchLog } from './batches.ts';

/**
 * What to tell the caller about a write that the table refused.
 *
 * @param existing The item as it lies in the table.
 * @returns The error of the write, or a {@link Collision} when a bulk request that is not settled stands in the way.
 */
export async function refusal(batches: BatchLog, write: Write, existing: Item | undefined): Promise<Error> {
  if (existing !== undefined) {
    if (existing.batch !== undefined && (await batches.verdict(existing.batch)).state !== 'committed') {
      return new Collision(existing.batch, existing);
    }
    const [staged] = [...(existing.setting ?? []), ...stagedBatches(existing)];
    if (staged !== undefined) return new Collision(staged, existing);
  }
  const error = write.kind === 'insert' ? write.onExists(existing ?? write.item) : write.onMismatch(existing);
  return error instanceof LostRace ? error.at(keyOf(write)) : error;
}
