import { log } from '../log.ts';
import { forEachLimited } from '../parallel.ts';
import { listAbandoned, listChanged, listCommitted } from './list-batches.ts';
import { foldingTime, foldItem, settle } from './settle.ts';
import type { Writer } from './writer.ts';

/** Items that are folded at once. */
const parallel = 16;

/** How far back a run looks for changes to fold, in milliseconds: three times its period. */
const lookBack = 900_000;

/**
 * Tidies up after bulk requests whose writer is gone, at start-up and on a schedule: rolls back those that were not
 * committed, never while they still may be, and folds the changes of those that were.
 *
 * @param alone Nobody else writes to the table, so whatever is pending has lost its writer, before its deadline too.
 * @returns How many were rolled back.
 */
export async function recover(writer: Writer, alone: boolean): Promise<number> {
  const now = Date.now();
  const unfolded = await listCommitted(writer, alone ? 0 : now - lookBack, now - foldingTime);
  for (const batch of unfolded) {
    const changed = await listChanged(writer, batch);
    await forEachLimited(changed, parallel, (key) => foldItem(writer, batch, key));
  }
  const abandoned = await listAbandoned(writer, alone ? Number.MAX_SAFE_INTEGER : now);
  let count = 0;
  for (const batch of abandoned) {
    if (!(await writer.batches.abort(batch))) continue;
    await settle(writer, batch);
    log.warn('rolled back an abandoned bulk request', { batch });
    count += 1;
  }
  return count;
}
