import { clock } from '../clock.ts';
import { recheckDelaysMs } from '../domain/dids/recheck-delays.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { formatDid } from '../domain/values/format-did.ts';
import { log } from '../log.ts';
import { changeDid, type Did, getDid } from '../store/entities/did.ts';
import { deleteExpiry, type Expiry, insertExpiry, listDueExpiries } from '../store/entities/expiry.ts';
import { listRulesOf } from '../store/entities/rule.ts';
import { LostRace, type Write } from '../store/items/plan.ts';
import type { Store } from '../store/open-store.ts';
import { detachDeletedDid, eraseHiddenDid, hideExpiredDid } from './erase-did.ts';

/** The most DIDs handled in parallel. */
const maxParallelDids = 8;

/** The result of a run. */
export interface ExpiryRun {
  /** Deleted collections. */
  readonly deleted: number;
  /** Files whose lifetime was cleared. */
  readonly released: number;
  /** DIDs that are left to a later run. */
  readonly postponed: number;
}

type Outcome = keyof ExpiryRun | 'dropped';

/**
 * Deletes expired DIDs (spec/dids.md 4.5): collections with their attachments, rules, followers and free metadata. An
 * expired file only loses its lifetime. Idempotent; runs may overlap.
 *
 * Costs 1 to 2 reads per shard if nothing is due.
 *
 * @param budgetMs Time limit; the rest is left to the next run.
 * @throws AggregateError if some DIDs could neither be deleted nor postponed; the others were handled by then.
 */
export async function expireDids({ store, now }: AnonymousContext, budgetMs = 180_000): Promise<ExpiryRun> {
  const until = clock.now() + budgetMs;
  const counts = { deleted: 0, released: 0, postponed: 0, dropped: 0 };
  const failures: unknown[] = [];
  let chunk: Expiry[] = [];
  const runChunk = async () => {
    for (const outcome of await Promise.allSettled(chunk.map((expiry) => attempt(store, expiry, now, until)))) {
      if (outcome.status === 'fulfilled') counts[outcome.value] += 1;
      else failures.push(outcome.reason);
    }
    chunk = [];
  };
  for await (const expiry of listDueExpiries(store.table.latest(), now)) {
    if (clock.now() > until) break;
    chunk.push(expiry);
    if (chunk.length === maxParallelDids) await runChunk();
  }
  await runChunk();
  if (failures.length > 0) throw new AggregateError(failures, 'some expired DIDs could not be postponed either');
  const { dropped: _dropped, ...run } = counts;
  return run;
}

/** A DID that fails must not stop the others. */
async function attempt(store: Store, expiry: Expiry, now: number, until: number): Promise<Outcome> {
  try {
    return await expire(store, expiry, now, until);
  } catch (error) {
    log.error('a DID could not be deleted', { did: formatDid(expiry.did), error: error as Error });
    return postpone(store, expiry, now + recheckDelaysMs.failed);
  }
}

async function expire(store: Store, expiry: Expiry, now: number, until: number): Promise<Outcome> {
  const { did: key, expiredAt } = expiry;
  const table = store.begin().table.latest();
  const did = await getDid(table, key);
  if (did !== undefined && did.expiredAt !== expiredAt) {
    // Another lifetime has a note of its own, as has a new DID of the same name.
    if (expiry.deleted && !(await detachDeletedDid(store, key, now, until)))
      return postpone(store, expiry, now + recheckDelaysMs.unfinished);
    return settle(store, expiry, 'dropped');
  }
  if (did?.type === 'FILE') return release(store, expiry, did, now);
  if (did !== undefined) {
    if (did.unsettled.length > 0) return postpone(store, expiry, now + recheckDelaysMs.unfinished);
    for await (const { locked } of listRulesOf(table, key)) {
      if (locked === true) return postpone(store, expiry, now + recheckDelaysMs.locked);
    }
    const stillDue = (fresh: Did) => fresh.expiredAt === expiredAt && expiredAt < now;
    if (!(await hideExpiredDid(store, key, now, stillDue)))
      return postpone(store, expiry, now + recheckDelaysMs.unfinished);
  }
  const gone = expiry.deleted
    ? await detachDeletedDid(store, key, now, until)
    : await eraseHiddenDid(store, key, now, until);
  if (!gone) return postpone(store, expiry, now + recheckDelaysMs.unfinished);
  if (expiry.deleted) return settle(store, expiry, 'dropped');
  log.info('deleted an expired DID', { did: formatDid(key) });
  await replaceNote(store, expiry, insertExpiry(key, expiredAt, { due: now + recheckDelaysMs.deleted, deleted: true }));
  return 'deleted';
}

async function release(store: Store, expiry: Expiry, file: Did, now: number): Promise<Outcome> {
  const makeLostRace = () => new LostRace(`${formatDid(file)} was given another lifetime concurrently`);
  await store.write(async (latest) => {
    if ((await getDid(latest, file))?.expiredAt !== expiry.expiredAt) return [];
    const patch = { set: { updatedAt: now }, remove: ['expiredAt'] };
    return [changeDid(file, patch, { when: { expiredAt: expiry.expiredAt }, onMismatch: makeLostRace })];
  });
  return settle(store, expiry, 'released');
}

async function postpone(store: Store, expiry: Expiry, due: number): Promise<Outcome> {
  await replaceNote(store, expiry, insertExpiry(expiry.did, expiry.expiredAt, { due, deleted: expiry.deleted }));
  return 'postponed';
}

async function settle(store: Store, expiry: Expiry, outcome: Outcome): Promise<Outcome> {
  await replaceNote(store, expiry);
  return outcome;
}

/** Replaces a note by others. If a concurrent run was faster, its note stays. */
async function replaceNote(store: Store, expiry: Expiry, ...others: Write[]): Promise<void> {
  try {
    await store.write(async () => [deleteExpiry(expiry, () => new AlreadyDone()), ...others]);
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw error;
  }
}

class AlreadyDone extends Error {
  override readonly name = 'AlreadyDone';
}
