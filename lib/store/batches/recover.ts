import { log } from '../../log.ts';
import type { Item } from '../items/item.ts';
import { batchTime } from '../keys/batch-keys.ts';
import { latestArrival, markedAge, toVerdict } from './batch-record.ts';
import { foldCommitted } from './fold-committed.ts';
import { getRecords, listOpenRecords, readMarks } from './list-batches.ts';
import { dropMark, markBatch, markCleared, markProgress } from './marks.ts';
import { isolate, type Run } from './recovery-run.ts';
import { clearAway } from './settle.ts';
import type { Writer } from './writer.ts';

/** How long a run may take, in milliseconds, and one batch before the others have their turn. */
const budgets = { run: 200_000, batch: 10_000 };

/**
 * Tidies up after bulk requests whose writer is gone, at start-up and on a schedule: rolls back those that were not
 * committed, never while they still may be, then folds the changes of those that were. One that fails, or that is huge,
 * does not keep the others waiting. Costs a read of the records of the last quarter of an hour and of what is unfinished.
 *
 * @param alone Nobody else writes to the table, so whatever is pending has lost its writer, before its deadline too.
 * @returns How many were rolled back.
 * @throws AggregateError at the end, of what failed; the next run tries it again.
 */
export async function recover(writer: Writer, alone: boolean, budget = budgets.run): Promise<number> {
  const now = Date.now();
  const marks = await readMarks(writer, now);
  const [marked, recent] = await Promise.all([getRecords(writer, marks.open), listOpenRecords(writer, marks.upTo)]);
  const records = [...new Map([...marked, ...recent].map((record) => [record.SK, record])).values()];
  const run: Run = { writer, now, alone, marked: new Set(marks.open), until: now + budget, failures: [] };
  const open = records.filter(({ state, cleared }) => state !== 'committed' && cleared !== true);
  await isolate(run, open, async ({ SK }) => mark(run, SK));
  const areMarked = run.failures.length === 0;
  const count = await rollBack(run, open);
  const unfolded = records.filter((record) => record['state'] === 'committed' && record['changed'] !== undefined);
  const left = await foldCommitted(run, unfolded);
  await isolate(run, [...left], (batch) => mark(run, batch));
  const keep = new Set([...open.map(({ SK }) => SK), ...left]);
  const finished = marks.open.filter((batch) => !keep.has(batch));
  await isolate(run, finished, (batch) => dropMark(writer, batch));
  if (areMarked) await isolate(run, [now - markedAge], (upTo) => markProgress(writer, upTo));
  if (run.failures.length > 0) throw new AggregateError(run.failures, 'bulk requests could not be tidied up');
  return count;
}

/** Marks a batch that has been left for so long that readers may soon not look at its record any more. */
async function mark({ writer, now, marked }: Run, batch: string): Promise<void> {
  if (batchTime(batch) < now - markedAge && !marked.has(batch)) await markBatch(writer, batch);
}

/** Rolls abandoned batches back, each for a while at a time; returns how many were. */
async function rollBack(run: Run, open: readonly Item[]): Promise<number> {
  let count = 0;
  let turn = open.filter((record) => isDue(run, record));
  while (turn.length > 0) {
    const again: Item[] = [];
    await isolate(run, turn, async (record) => {
      if (toVerdict(record).state === 'pending' && !(await run.writer.batches.abort(record.SK))) return;
      const position = await lookThrough(run, record);
      if (position !== undefined) again.push({ ...record, state: 'aborted', position });
      else if (record['lookedAt'] === undefined) {
        log.warn('rolled back an abandoned bulk request', { batch: record.SK });
        count += 1;
      }
    });
    turn = Date.now() < run.until ? again : [];
  }
  return count;
}

/**
 * Whether there is something to do for a batch: its writer is silent, and nobody has looked for what it left; or somebody
 * has, while requests of the writer could still arrive, and now they cannot.
 */
function isDue({ now, alone }: Run, record: Item): boolean {
  if (alone) return true;
  const deadline = Number(record['deadline']);
  return deadline < (record['lookedAt'] === undefined ? now : now - latestArrival);
}

/** Looks for what an aborted batch has left. Returns how far that came, or undefined when it is through. */
async function lookThrough({ writer, now, alone, marked, until }: Run, record: Item): Promise<number | undefined> {
  const batch = record.SK;
  const look = await clearAway(writer, record, Math.min(until, Date.now() + budgets.batch));
  if (look === undefined && batchTime(batch) < now - listsLast) {
    // Readers do not see it, and whoever meets something of it removes that.
    log.warn('an abandoned bulk request cannot be rolled back: its keys are not known any more', { batch });
    await writer.batches.noteLook(batch);
    return undefined;
  }
  if (look?.isDone === false) {
    await writer.batches.noteLook(batch, look.position);
    return look.position;
  }
  // Without its lists it has never got to write anything.
  const isOver = alone || Number(record['deadline']) < now - latestArrival;
  await (isOver ? writer.batches.forget(batch) : writer.batches.noteLook(batch));
  if (isOver && (marked.has(batch) || batchTime(batch) < now - markedAge)) await markCleared(writer, batch);
  return undefined;
}

/** For so long the lists of keys are there for certain, in milliseconds. */
const listsLast = 30 * 24 * 3_600_000;
