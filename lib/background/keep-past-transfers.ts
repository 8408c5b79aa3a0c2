import { ReplicaState } from '../contract/schemas/states.ts';
import { defined } from '../defined.ts';
import { formatDid } from '../domain/values/format-did.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { forEachLimited } from '../parallel.ts';
import { insertCancelledJob } from '../store/entities/cancelled-job.ts';
import { type FileDid, getFiles } from '../store/entities/did.ts';
import { insertPastTransfer, type PastTransfer } from '../store/entities/past-transfer.ts';
import { getRules, type Rule } from '../store/entities/rule.ts';
import type { Transfer } from '../store/entities/transfer.ts';
import type { Insert } from '../store/items/plan.ts';
import type { Store } from '../store/open-store.ts';
import { type ChangeOf, changesOf } from '../store/stream/change.ts';

/** The most records that are written in parallel. */
const maxParallelWrites = 16;

/**
 * Keeps the history of transfers: an entry for each attempt that failed, and for each copy that was made. A transfer
 * that was cancelled, or begins anew, leaves none; if a transfer tool has a job of it, the job is noted, to be cancelled by the
 * next run of the tool. The key of an entry is that of the change, so a repeated delivery writes the same entry.
 *
 * Costs a read for each entry and for each rule, and a write unit for each entry.
 */
export const keepPastTransfers: Reaction = {
  name: 'keep past transfers',
  kinds: ['transfer'],
  async run({ store }, changes) {
    const ended = changesOf('transfer', changes).filter(
      (change) => isOver(change) || isRestart(change) || isFailure(change),
    );
    if (ended.length === 0) return;
    const transfers = ended.flatMap(({ before }) => before ?? []);
    const [files, rules] = await Promise.all([
      getFiles(
        store.table.latest(),
        transfers.map(({ did }) => did),
      ),
      getRules(store.table, new Set(transfers.map(({ ruleId }) => ruleId))),
    ]);
    const byDid = new Map(files.map((file) => [formatDid(file), file]));
    const records = ended.flatMap((change) => {
      const { before } = change;
      if (before === undefined) return [];
      if (isRestart(change)) return cancelJob(before, change.at);
      const known = { file: byDid.get(formatDid(before.did)), rule: rules.get(before.ruleId) };
      const past = isOver(change) ? lastAttempt(before, known, change.at) : failedAttempt(before, known, change.after);
      if (past !== undefined) return [insertPastTransfer(past, makeKeptError)];
      return isOver(change) ? cancelJob(before, change.at) : [];
    });
    await forEachLimited(records, maxParallelWrites, (record) => keep(store, record));
  },
};

/** The file and the rule of a transfer that has ended, if they are still there. */
interface Known {
  readonly file: FileDid | undefined;
  readonly rule: Rule | undefined;
}

const isOver = ({ before, after }: ChangeOf<'transfer'>) => before !== undefined && after === undefined;

/** Whether the copy begins anew, since what it made was found bad. */
const isRestart = ({ before, after }: ChangeOf<'transfer'>) =>
  before !== undefined && after !== undefined && before.id !== after.id;

/** Whether a change ended an attempt with a failure, after which the transfer goes on. */
const isFailure = ({ before, after }: ChangeOf<'transfer'>) =>
  before !== undefined && (after?.attempts ?? 0) > (before.attempts ?? 0);

/** The attempt that failed. */
function failedAttempt(before: Transfer, known: Known, after: Transfer | undefined): PastTransfer | undefined {
  if (after === undefined) return undefined;
  const { error, updatedAt = 0, sourceId } = after;
  return { ...describe({ ...before, ...defined({ sourceId, error }) }, known), state: 'FAILED', endedAt: updatedAt };
}

/** The last attempt of a transfer that is over; undefined if it was cancelled. */
function lastAttempt(transfer: Transfer, known: Known, at: number): PastTransfer | undefined {
  const replica = known.file?.replicas.get(transfer.rseId);
  const past = { ...describe(transfer, known), endedAt: at };
  if (replica?.state === ReplicaState.AVAILABLE) {
    const { error: _earlier, ...done } = past;
    return { ...done, state: 'DONE' };
  }
  const { failed } = replica ?? {};
  if (replica?.state !== ReplicaState.UNAVAILABLE || failed === undefined || failed.at < transfer.createdAt)
    return undefined;
  return { ...past, state: 'FAILED', ...defined({ error: failed.error, sourceId: failed.sourceId ?? past.sourceId }) };
}

function describe(transfer: Transfer, { file, rule }: Known): Omit<PastTransfer, 'state' | 'endedAt'> {
  const { did, rseId, id, ruleId, attempts = 0, createdAt } = transfer;
  const { bytes, submittedAt, error, sourceId, externalId, externalHost } = transfer;
  const { activity = transfer.activity, account, priority } = rule ?? {};
  const { adler32, md5 } = file ?? {};
  const asked = { activity, account, priority, adler32, md5 };
  const told = defined({ ...asked, bytes, submittedAt, error, sourceId, externalId, externalHost });
  return { did, rseId, id, ruleId, attempts, createdAt, ...told };
}

/** The note that the job of a cancelled transfer is to be cancelled, if a tool has one. */
function cancelJob({ rseId, externalHost: host, externalId: id }: Transfer, at: number): Insert[] {
  return host === undefined || id === undefined ? [] : [insertCancelledJob({ rseId, host, id }, at, makeKeptError)];
}

const makeKeptError = () => new Kept();

async function keep(store: Store, record: Insert): Promise<void> {
  try {
    await store.write(async () => [record]);
  } catch (error) {
    if (!(error instanceof Kept)) throw error;
  }
}

/** The record was written when the change was delivered before. */
class Kept extends Error {
  override readonly name = 'Kept';
}
