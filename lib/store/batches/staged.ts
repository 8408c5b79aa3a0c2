import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import { clock } from '../../clock.ts';
import { log } from '../../log.ts';
import { Lease, withLease } from '../items/lease.ts';
import { loadOf, Pace } from '../items/pace.ts';
import { type Absence, type Change, Contended, type Insert, keyOf, LostRace, type Plan } from '../items/plan.ts';
import { batchTime } from '../keys/batch-keys.ts';
import { batchDeadlineMs, maxBatchMs, markedAgeMs } from './batch-record.ts';
import { foldChanges } from './fold.ts';
import { SentWrites } from './sent-writes.ts';
import { pauseBeforeRetry, stageWrites, type Staging } from './stage.ts';
import { maxTransactionItems, transact } from './transaction.ts';
import type { Writer } from './writer.ts';

/** Above this number of changes it pays to record that they are folded: recovery reads them some three times otherwise. */
const manyChanges = 100;

/**
 * Writes a plan of any size so that all writes become visible together (docs/adr/0003-staged-commit.md).
 *
 * Costs one write unit an insert, two a change, one each for begin and commit, plus index writes.
 *
 * @param options `changesInCommit`: the commit itself makes the changes, fewer than a transaction holds, which costs the same
 *   and saves staging and folding them. `confirm`: looks once more when everything is staged; if it throws, nothing is written.
 * @throws The error of a refused write, {@link Collision}, LostRace, or DatabaseException (503). All writes are
 *   rolled back then.
 */
export async function commitStaged(
  writer: Writer,
  plan: Plan,
  { changesInCommit = false, confirm }: StagedOptions = {},
): Promise<void> {
  const inserts = plan.filter((write) => write.kind === 'insert');
  const changes = plan.filter((write) => write.kind === 'change');
  const absences = plan.filter((write) => write.kind === 'absence');
  const exact = changes.filter(({ isExact }) => isExact === true);
  // If there are more of them than a transaction holds, they are staged like the others.
  const made = changesInCommit ? changes : exact.length + absences.length < maxTransactionItems ? exact : [];
  const staged = changes.filter((change) => !made.includes(change));
  const endLoad = loadOf(writer.client).admit(plan.length);
  try {
    await runBatch(writer, { inserts, staged, made: [...made, ...absences], confirm });
  } finally {
    endLoad();
  }
}

interface StagedOptions {
  readonly changesInCommit?: boolean;
  readonly confirm?: (() => Promise<void>) | undefined;
}

interface Parts {
  readonly inserts: readonly Insert[];
  /** The changes that are staged and folded. */
  readonly staged: readonly Change[];
  /** The changes that the commit makes, and its conditions. */
  readonly made: readonly (Change | Absence)[];
  readonly confirm: StagedOptions['confirm'];
}

async function runBatch(writer: Writer, parts: Parts): Promise<void> {
  // After the deadline other processes abort the batch and remove its writes; one that is sent later would stay in the table.
  const lease = new Lease(batchDeadlineMs);
  const batch = await writer.batches.begin(parts.inserts.map(keyOf), parts.staged.map(keyOf));
  // From now on the deadline of the batch counts, and not the age of the plan.
  await withLease(undefined, () => writeBatch(writer, { batch, lease }, parts));
}

/** Writes a batch that has begun, and commits it, or rolls it back. */
async function writeBatch(
  writer: Writer,
  { batch, lease }: { readonly batch: string; readonly lease: Lease },
  { inserts, staged, made, confirm }: Parts,
): Promise<void> {
  const renewals = scheduleRenewals(writer, batch, lease);
  const staging: Staging = { writer, batch, sentWrites: new SentWrites(), pace: new Pace() };
  try {
    await withLease(lease, async () => {
      await stageWrites(staging, [...inserts, ...staged]);
      // Taken back and planned again.
      if (staging.sentWrites.hasLostChange) throw new LostRace();
      await confirm?.();
      if (made.length > 0) await commitWith(writer, batch, made);
      else await writer.batches.commit(batch);
    });
  } catch (error) {
    if (await rollBack(staging)) throw error;
  } finally {
    clearInterval(renewals);
  }
  if ((await foldChanges(writer, batch, staged)) && staged.length > manyChanges) await tryRecordFolded(writer, batch);
}

/**
 * Aborts a batch and removes its writes. Failures are left to recovery, since the caller needs the original error.
 *
 * @returns False if the batch is committed and only the answer was lost.
 */
async function rollBack({ writer, batch, sentWrites }: Staging): Promise<boolean> {
  try {
    if (!(await writer.batches.abort(batch))) return false;
    const isClean = await sentWrites.removeAll(writer, batch);
    // An older batch may have a mark, which only recovery clears.
    if (isClean && clock.now() < batchTime(batch) + markedAgeMs) await writer.batches.recordCleared(batch);
  } catch (error) {
    log.warn('what a refused bulk request has staged is left to recovery', { batch, because: String(error) });
  }
  return true;
}

/** Records that the changes are folded. A failure does not matter: recovery then reads the items. */
async function tryRecordFolded(writer: Writer, batch: string): Promise<void> {
  try {
    await writer.batches.recordFolded(batch);
  } catch (error) {
    log.warn('the end of a bulk request could not be noted', { batch, because: String(error) });
  }
}

/** How often a conflicting commit is tried before the operation is planned again. */
const maxCommitAttempts = 5;

/** Commits a batch by a transaction that also makes changes. */
async function commitWith(writer: Writer, batch: string, changes: Parts['made']): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writer.batches.commitBy(batch, (record) => transact(writer, changes, [{ Update: record }]));
      return;
    } catch (error) {
      if (!(error instanceof Contended) || attempt === maxCommitAttempts) throw error;
      await pauseBeforeRetry(batch, attempt);
    }
  }
}

/** Renews the deadline of a batch regularly, so that a slow batch is not aborted. */
function scheduleRenewals(writer: Writer, batch: string, lease: Lease): NodeJS.Timeout {
  const renew = async () => {
    if (clock.now() > batchTime(batch) + maxBatchMs) return;
    const age = clock.stopwatch();
    try {
      await writer.batches.renew(batch);
      lease.renew(age);
    } catch (error) {
      // After other errors the lease expires unless the next renewal succeeds.
      if (error instanceof ConditionalCheckFailedException) lease.end();
    }
  };
  return setInterval(() => void renew(), batchDeadlineMs / 3).unref();
}
