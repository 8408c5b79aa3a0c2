import { log } from '../log.ts';
import { settle } from './settle.ts';
import type { Writer } from './writer.ts';

/**
 * Rolls back bulk requests whose writer is gone: at start-up, on a schedule, and never while they may still commit.
 *
 * @param alone Nobody else writes to the table, so whatever is pending has lost its writer, before its deadline too.
 * @returns How many were rolled back.
 */
export async function recover(writer: Writer, alone: boolean): Promise<number> {
  const abandoned = await writer.batches.abandoned(alone ? Number.MAX_SAFE_INTEGER : Date.now());
  let count = 0;
  for (const batch of abandoned) {
    if (!(await writer.batches.abort(batch))) continue;
    await settle(writer, batch);
    log.warn('rolled back an abandoned bulk request', { batch });
    count += 1;
  }
  return count;
}
