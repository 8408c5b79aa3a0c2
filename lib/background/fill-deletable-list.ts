import { isListable } from '../domain/locks/deletable-list.ts';
import { ReplicaChanges } from '../domain/locks/replica-changes.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { splitIntoChunks } from '../rows/split-into-chunks.ts';
import { latestEffectMs } from '../store/batches/commit.ts';
import { type FillPosition, type FillState, getFillState, putFillState } from '../store/entities/deletable-state.ts';
import { type FileDid, getFiles } from '../store/entities/did.ts';
import { listRseContent, listRses } from '../store/entities/rse.ts';
import type { Store } from '../store/open-store.ts';
import { shards } from '../store/values/shards.ts';

/** The result of a run. */
export interface FillRun {
  /** Replicas that were entered in the list. */
  readonly entered: number;
  /** Whether every replica was checked, in this run or before. */
  readonly done: boolean;
}

/** Replicas between two checkpoints. */
const replicasPerStep = 500;

/** Replicas that are entered by one plan, which fits into a transaction. */
const replicasPerPlan = 45;

/**
 * Enters in the list of what may be deleted the replicas that an older version of Dapple has set free
 * (docs/adr/0020-deletion.md). Idempotent; it may be interrupted, and runs may overlap.
 *
 * Costs a read once that is done; before, a read unit for each replica.
 *
 * @param options.settlingMs How long to wait after the first run of this version; 0 if no other process uses the table.
 * @param options.mayGoOn Called after every step; false leaves the rest to the next run.
 */
export async function fillDeletableList(
  { store, now }: AnonymousContext,
  { settlingMs = latestEffectMs, mayGoOn }: { readonly settlingMs?: number; readonly mayGoOn: () => boolean },
): Promise<FillRun> {
  let entered = 0;
  try {
    let state = (await getFillState(store.begin().table)) ?? (await adoptState(store, now));
    if (state.done === true) return { entered, done: true };
    if (now < state.since + settlingMs) return { entered, done: false };
    for await (const position of listPlaces(store, state.position)) {
      for await (const { files, last } of listSteps(store, position)) {
        await enter(store, files, position.rseId, now);
        entered += files.length;
        state = await saveState(store, { since: state.since, position: last }, state);
        if (!mayGoOn()) return { entered, done: false };
      }
    }
    await saveState(store, { since: state.since, done: true }, state);
    return { entered, done: true };
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return { entered, done: false };
  }
}

/** Another run has changed the state, and goes on. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** The first state. A catalogue without RSEs has nothing to enter: its list will be kept from the beginning. */
async function adoptState(store: Store, now: number): Promise<FillState> {
  const { done: isEmpty = false } = await listRses(store.begin().table).next();
  return saveState(store, { since: now, ...(isEmpty ? { done: true } : {}) }, undefined);
}

async function saveState(
  store: Store,
  next: Omit<FillState, 'version'>,
  former: FillState | undefined,
): Promise<FillState> {
  await store.write(async () => [putFillState(next, former, () => new Overtaken())]);
  return { ...next, version: (former?.version ?? 0) + 1 };
}

/** All shards of the content of all RSEs, disabled ones included, from a position on. */
async function* listPlaces(store: Store, from: FillPosition | undefined): AsyncGenerator<FillPosition> {
  const ids = (await Array.fromAsync(listRses(store.begin().table), ({ id }) => id)).toSorted();
  for (const rseId of ids) {
    if (from !== undefined && rseId < from.rseId) continue;
    for (const shard of shards) {
      if (rseId === from?.rseId && shard < from.shard) continue;
      yield rseId === from?.rseId && shard === from.shard ? from : { rseId, shard };
    }
  }
}

interface Step {
  /** Files whose replicas are missing in the list. */
  readonly files: readonly FileDid[];
  readonly last: FillPosition;
}

async function* listSteps(store: Store, { rseId, shard, did }: FillPosition): AsyncGenerator<Step> {
  const { table } = store.begin();
  const content = listRseContent(table, rseId, shard, did === undefined ? {} : { after: did });
  for await (const chunk of splitIntoChunks(content, replicasPerStep)) {
    const files = await getFiles(table, chunk);
    const last = chunk.at(-1);
    if (last !== undefined)
      yield { files: files.filter((file) => isMissing(file, rseId)), last: { rseId, shard, did: last } };
  }
}

function isMissing({ replicas }: FileDid, rseId: string): boolean {
  const replica = replicas.get(rseId);
  return replica !== undefined && replica.listedAt === undefined && isListable(replica);
}

/** Writes the replicas as they are: every plan that writes a replica brings the list in line with it. */
async function enter(store: Store, files: readonly FileDid[], rseId: string, now: number): Promise<void> {
  for await (const chunk of splitIntoChunks(files, replicasPerPlan)) {
    await store.write(
      async (latest) => {
        const changes = new ReplicaChanges(now);
        for (const file of await getFiles(latest, chunk)) {
          const replica = file.replicas.get(rseId);
          if (replica !== undefined && isMissing(file, rseId)) changes.set(file, rseId, { ...replica });
        }
        return changes.writes(new Map());
      },
      { inBackground: true },
    );
  }
}
