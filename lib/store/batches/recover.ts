import { clock } from '../../clock.ts';
import { log } from '../../log.ts';
import type { Item } from '../items/item.ts';
import { batchTime } from '../keys/batch-keys.ts';
import { removeWrites } from './abort.ts';
import { latestArrivalMs, markedAgeMs, toVerdict } from './batch-record.ts';
import { foldCommitted } from './fold-committed.ts';
import { getRecords, listOpenRecords, readMarks } from './list-batches.ts';
import { dropMark, markBatch, markCleanedUp, saveMarkProgress } from './marks.ts';
import { forEachIsolated, type RecoveryRun } from './recovery-run.ts';
import type { Writer } from './writer.ts';

/** How long a run may take, and one batch before the others continue. */
const budgetsMs = { run: 200_000, batch: 10_000 };

/**
 * Recovers batches whose writer is gone, at start-up and on a schedule: rolls back uncommitted ones after their deadline,
 * then folds the changes of committed ones. A batch that fails, or that is huge, does not delay the others. Costs a read of
 * the records of the last 15 minutes and of the unfinished batches.
 *
 * @param alone No other process writes to the table, so the writers of all pending batches are gone.
 * @returns How many were rolled back.
 * @throws AggregateError at the end, of all failures; the next run retries them.
 */
export async function recover(writer: Writer, alone: boolean, budgetMs = budgetsMs.run): Promise<number> {
  const now = clock.now();
  const marks = await readMarks(writer, now);
  const [marked, recent] = await Promise.all([getRecords(writer, marks.open), listOpenRecords(writer, marks.upTo)]);
  const records = [...new Map([...marked, ...recent].map((record) => [record.SK, record])).values()];
  const run: RecoveryRun = { writer, now, alone, marked: new Set(marks.open), until: now + budgetMs, failures: [] };
  const open = records.filter(({ state, cleared }) => state !== 'committed' && cleared !== true);
  await forEachIsolated(run, open, async ({ SK }) => mark(run, SK));
  const areMarked = run.failures.length === 0;
  const count = await rollBack(run, open);
  const unfolded = records.filter((record) => record['state'] === 'committed' && record['changed'] !== undefined);
  const unfinishedFolds = await foldCommitted(run, unfolded);
  await forEachIsolated(run, [...unfinishedFolds], (batch) => mark(run, batch));
  const keep = new Set([...open.map(({ SK }) => SK), ...unfinishedFolds]);
  const finished = marks.open.filter((batch) => !keep.has(batch));
  await forEachIsolated(run, finished, (batch) => dropMark(writer, batch));
  if (areMarked) await forEachIsolated(run, [now - markedAgeMs], (upTo) => saveMarkProgress(writer, upTo));
  if (run.failures.length > 0) throw new AggregateError(run.failures, 'bulk requests could not be tidied up');
  return count;
}

/** Marks a batch that is so old that readers soon rely on the marks instead of its record. */
async function mark({ writer, now, marked }: RecoveryRun, batch: string): Promise<void> {
  if (batchTime(batch) < now - markedAgeMs && !marked.has(batch)) await markBatch(writer, batch);
}

/** Rolls abandoned batches back, each within a time slice; returns their number. */
async function rollBack(run: RecoveryRun, open: readonly Item[]): Promise<number> {
  let count = 0;
  let turn = open.filter((record) => isDue(run, record));
  while (turn.length > 0) {
    const again: Item[] = [];
    await forEachIsolated(run, turn, async (record) => {
      if (toVerdict(record).state === 'pending' && !(await run.writer.batches.abort(record.SK))) return;
      const position = await cleanUp(run, record);
      if (position !== undefined) again.push({ ...record, state: 'aborted', position });
      else if (record['checked'] === undefined) {
        log.warn('rolled back an abandoned bulk request', { batch: record.SK });
        count += 1;
      }
    });
    turn = clock.now() < run.until ? again : [];
  }
  return count;
}

/**
 * Whether a batch needs work: its deadline has passed and its writes were not cleaned up yet; or they were cleaned up while
 * further writes could still arrive, and now none can.
 */
function isDue({ now, alone }: RecoveryRun, record: Item): boolean {
  if (alone) return true;
  const deadline = Number(record['deadline']);
  return deadline < (record['checked'] === undefined ? now : now - latestArrivalMs);
}

/** Cleans up an aborted batch. Returns the position that it reached, or undefined when it is complete. */
async function cleanUp({ writer, now, alone, marked, until }: RecoveryRun, record: Item): Promise<number | undefined> {
  const batch = record.SK;
  const progress = await removeWrites(writer, record, Math.min(until, clock.now() + budgetsMs.batch));
  if (progress === undefined && batchTime(batch) < now - listsLastMs) {
    // Readers ignore its writes, and writers that conflict with one remove it.
    log.warn('an abandoned bulk request cannot be rolled back: its keys are not known any more', { batch });
    await writer.batches.saveCleanupPosition(batch);
    return undefined;
  }
  if (progress?.isDone === false) {
    await writer.batches.saveCleanupPosition(batch, progress.position);
    return progress.position;
  }
  // A batch without its lists has not written anything else.
  const isOver = alone || Number(record['deadline']) < now - latestArrivalMs;
  await (isOver ? writer.batches.recordCleared(batch) : writer.batches.saveCleanupPosition(batch));
  if (isOver && (marked.has(batch) || batchTime(batch) < now - markedAgeMs)) await markCleanedUp(writer, batch);
  return undefined;
}

/** The lists of keys certainly exist for this long. */
const listsLastMs = 30 * 24 * 3_600_000;
