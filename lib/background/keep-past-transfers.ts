import { ReplicaState } from '../contract/schemas/states.ts';
import { defined } from '../defined.ts';
import { formatDid } from '../domain/values/format-did.ts';
import type { Reaction } from '../domain/values/reaction.ts';
import { forEachLimited } from '../parallel.ts';
import { type FileDid, getFiles } from '../store/entities/did.ts';
import { insertPastTransfer, type PastTransfer } from '../store/entities/past-transfer.ts';
import type { Transfer } from '../store/entities/transfer.ts';
import type { Store } from '../store/open-store.ts';
import { type ChangeOf, changesOf } from '../store/stream/change.ts';

/** Records that are written in parallel. */
const maxParallelWrites = 16;

/**
 * Keeps the history of transfers: an entry for each attempt that failed, and for each copy that was made. A transfer
 * that was cancelled leaves none. Its key is that of the change, so a repeated delivery writes the same entry.
 *
 * Costs a read for each transfer that is over, and a write unit for each entry.
 */
export const keepPastTransfers: Reaction = {
  name: 'keep past transfers',
  kinds: ['transfer'],
  async run({ store }, changes) {
    const ended = changesOf('transfer', changes).flatMap((change) => failedAttempt(change) ?? []);
    const over = changesOf('transfer', changes).flatMap(({ before, after, at }) =>
      before !== undefined && after === undefined ? [{ transfer: before, at }] : [],
    );
    const files = await getFiles(
      store.table.latest(),
      over.map(({ transfer }) => transfer.did),
    );
    const byDid = new Map(files.map((file) => [formatDid(file), file]));
    const finished = over.flatMap(
      ({ transfer, at }) => lastAttempt(transfer, byDid.get(formatDid(transfer.did)), at) ?? [],
    );
    await forEachLimited([...ended, ...finished], maxParallelWrites, (past) => keep(store, past));
  },
};

/** The attempt that a change ended with a failure, after which the transfer goes on. */
function failedAttempt({ before, after }: ChangeOf<'transfer'>): PastTransfer | undefined {
  const { attempts = 0 } = before ?? {};
  if (before === undefined || after?.attempts === undefined || after.attempts <= attempts) return undefined;
  const { error, updatedAt = 0, sourceId } = after;
  return { ...describe({ ...before, ...defined({ sourceId, error }) }), state: 'FAILED', endedAt: updatedAt };
}

/** The last attempt of a transfer that is over; undefined if it was cancelled. */
function lastAttempt(transfer: Transfer, file: FileDid | undefined, at: number): PastTransfer | undefined {
  const replica = file?.replicas.get(transfer.rseId);
  const past = { ...describe(transfer), endedAt: at };
  if (replica?.state === ReplicaState.AVAILABLE) {
    const { error: _earlier, ...done } = past;
    return { ...done, state: 'DONE' };
  }
  const { failed } = replica ?? {};
  if (replica?.state !== ReplicaState.UNAVAILABLE || failed === undefined || failed.at < transfer.createdAt)
    return undefined;
  return { ...past, state: 'FAILED', ...defined({ error: failed.error, sourceId: failed.sourceId ?? past.sourceId }) };
}

function describe(transfer: Transfer): Omit<PastTransfer, 'state' | 'endedAt'> {
  const { did, rseId, id, ruleId, attempts = 0, createdAt } = transfer;
  const { bytes, submittedAt, activity, error, sourceId, externalId, externalHost } = transfer;
  const told = defined({ bytes, submittedAt, activity, error, sourceId, externalId, externalHost });
  return { did, rseId, id, ruleId, attempts, createdAt, ...told };
}

async function keep(store: Store, past: PastTransfer): Promise<void> {
  try {
    await store.write(async () => [insertPastTransfer(past, () => new Kept())]);
  } catch (error) {
    if (!(error instanceof Kept)) throw error;
  }
}

/** The entry was written when the change was delivered before. */
class Kept extends Error {
  override readonly name = 'Kept';
}
