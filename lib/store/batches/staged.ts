import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import { log } from '../../log.ts';
import { Lease, withLease } from '../items/lease.ts';
import { loadOf, Pace } from '../items/pace.ts';
import { type Change, Contended, type Insert, keyOf, type Plan } from '../items/plan.ts';
import { batchTime } from '../keys/batch-keys.ts';
import { batchDeadline, longestBatch, markedAge } from './batch-record.ts';
import { foldChanges } from './settle.ts';
import { pause, stage, type Staging } from './stage.ts';
import { Traces } from './traces.ts';
import { mostItems, transact } from './transaction.ts';
import type { Writer } from './writer.ts';

/** Recovery reads the changed items of each batch some three times; for more than this many a note saves that. */
const manyChanges = 100;

/**
 * Carries out any number of writes so that they become visible together (docs/adr/0003-staged-commit.md).
 *
 * Costs one write unit an insert, two a change, one each for begin and commit, plus index writes.
 *
 * @param options `atOnce`: the changes, fewer than a transaction holds, are made by the commit itself, which costs the
 *   same and saves staging and folding each of them.
 * @throws The error of a refused write, {@link Collision}, LostRace, or DatabaseException (503). Nothing is left behind
 *   then.
 */
export async function commitStaged(
  writer: Writer,
  plan: Plan,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<void> {
  const inserts = plan.filter((write) => write.kind === 'insert');
  const changes = plan.filter((write) => write.kind === 'change');
  const exact = changes.filter(({ isExact }) => isExact === true);
  // More of them than a transaction holds are staged like the others.
  const made = atOnce ? changes : exact.length < mostItems ? exact : [];
  const staged = changes.filter((change) => !made.includes(change));
  const endLoad = loadOf(writer.client).admit(plan.length);
  try {
    await carryOut(writer, { inserts, staged, made });
  } finally {
    endLoad();
  }
}

interface Parts {
  readonly inserts: readonly Insert[];
  /** The changes that are not made by the commit. */
  readonly staged: readonly Change[];
  /** Those that are. */
  readonly made: readonly Change[];
}

async function carryOut(writer: Writer, { inserts, staged, made }: Parts): Promise<void> {
  const batch = await writer.batches.begin(inserts.map(keyOf), staged.map(keyOf));
  const lease = new Lease(batchTime(batch) + batchDeadline);
  const renewals = keepAlive(writer, batch, lease);
  const staging: Staging = { writer, batch, traces: new Traces(), pace: new Pace() };
  try {
    await withLease(lease, async () => {
      await stage(staging, [...inserts, ...staged]);
      if (made.length > 0) await commitWith(writer, batch, made);
      else await writer.batches.commit(batch);
    });
  } catch (error) {
    if (await giveUp(staging)) throw error;
  } finally {
    clearInterval(renewals);
  }
  if ((await foldChanges(writer, batch, staged)) && staged.length > manyChanges) await noteFolded(writer, batch);
}

/**
 * Gives a batch up and takes back what was staged. What fails on the way is left to recovery: the caller is to get the
 * error of its own request.
 *
 * @returns False when the batch is committed and only the answer to that was lost.
 */
async function giveUp({ writer, batch, traces }: Staging): Promise<boolean> {
  try {
    if (!(await writer.batches.abort(batch))) return false;
    const isClean = await traces.takeBack(writer, batch);
    // Recovery may have marked a batch that is older than that, and has to conclude it.
    if (isClean && Date.now() < batchTime(batch) + markedAge) await writer.batches.forget(batch);
  } catch (error) {
    log.warn('what a refused bulk request has staged is left to recovery', { batch, because: String(error) });
  }
  return true;
}

/** The note only saves recovery a look at the items. */
async function noteFolded(writer: Writer, batch: string): Promise<void> {
  try {
    await writer.batches.folded(batch);
  } catch (error) {
    log.warn('the end of a bulk request could not be noted', { batch, because: String(error) });
  }
}

/** How often a commit is tried that meets other writers, before everything is planned anew. */
const commitAttempts = 5;

/** Commits a batch by a transaction that makes changes, too. */
async function commitWith(writer: Writer, batch: string, changes: readonly Change[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writer.batches.commitBy(batch, (record) => transact(writer, changes, [{ Update: record }]));
      return;
    } catch (error) {
      if (!(error instanceof Contended) || attempt === commitAttempts) throw error;
      await pause(batch, attempt);
    }
  }
}

/** Puts off the deadline of a batch that takes long; a slow engine is no reason to give it up. */
function keepAlive(writer: Writer, batch: string, lease: Lease): NodeJS.Timeout {
  const renew = () => {
    if (Date.now() > batchTime(batch) + longestBatch) return;
    writer.batches.renew(batch).then(
      (until) => lease.extend(until),
      (error: unknown) => {
        // Otherwise the lease runs out unless the next one succeeds.
        if (error instanceof ConditionalCheckFailedException) lease.end();
      },
    );
  };
  return setInterval(renew, batchDeadline / 3).unref();
}
