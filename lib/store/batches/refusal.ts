import { stagedBatches, type Item } from '../items/item.ts';
import { Collision, keyOf, LostRace, type Write } from '../items/plan.ts';
import type { BatchLog } from './batches.ts';

/**
 * Makes the error for a write whose condition failed.
 *
 * @param existing The stored item.
 * @returns The error of the write, or a {@link Collision} if an unsettled batch is the cause.
 */
export async function makeRefusalError(batches: BatchLog, write: Write, existing: Item | undefined): Promise<Error> {
  if (existing !== undefined) {
    if (existing.batch !== undefined && (await batches.verdict(existing.batch)).state !== 'committed') {
      return new Collision(existing.batch, existing);
    }
    const [staged] = [...(existing.setting ?? []), ...stagedBatches(existing)];
    if (staged !== undefined) return new Collision(staged, existing);
  }
  const error = refusalOf(write, existing);
  return error instanceof LostRace ? error.at(keyOf(write)) : error;
}

function refusalOf(write: Write, existing: Item | undefined): Error {
  switch (write.kind) {
    case 'insert':
      return write.onExists(existing ?? write.item);
    case 'change':
      return write.onMismatch(existing);
    default:
      return write.onExists(existing);
  }
}
