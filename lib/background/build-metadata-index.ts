import { clock } from '../clock.ts';
import type { DidKey } from '../contract/schemas/did.ts';
import { saveIndexState } from '../domain/metadata-index/save-index-state.ts';
import { forEachLimited } from '../parallel.ts';
import { backOff } from '../retry.ts';
import type { IndexState, Position } from '../store/entities/index-state.ts';
import { listIndexable, reindexDid } from '../store/entities/indexable.ts';
import { listScopes } from '../store/entities/scope.ts';
import { isContention } from '../store/items/plan.ts';
import type { Store } from '../store/open-store.ts';
import { shards } from '../store/values/shards.ts';

/** The most DIDs checked between two checkpoints. */
const didsPerStep = 500;

/** Longest time without a checkpoint over shards that are shorter than a step. */
const checkpointIntervalMs = 5_000;

/** The most DIDs whose entries are written in parallel. */
const maxParallelWrites = 16;

/** Pauses before the next attempts to write a DID that other writers hold. */
const pauses = { firstPauseMs: 100, longestPauseMs: 2_000 };

/** The result of a run. */
export interface BuildResult {
  readonly state: IndexState;
  /** Whether every DID was checked. */
  readonly done: boolean;
  readonly rewritten: number;
}

/**
 * Checks the DIDs of all scopes, from the last checkpoint on, and rewrites the entries of those whose entries are
 * outdated. It saves checkpoints. Rewriting is idempotent, so a crash does no harm.
 *
 * @param mayGoOn Called after every step, and before a DID is tried again; false stops the run.
 * @throws Superseded if another run has changed the state; DatabaseException (503) if other writers kept a DID until the end
 *   of the run.
 */
export async function buildMetadataIndex(store: Store, from: IndexState, mayGoOn: () => boolean): Promise<BuildResult> {
  let state = from;
  let rewritten = 0;
  let sinceSaved = clock.stopwatch();
  for await (const place of listPlaces(store, from.position)) {
    for await (const step of listSteps(store, place, from)) {
      await rewriteEntries(store, step.outdated, mayGoOn);
      rewritten += step.outdated.length;
      const stops = !mayGoOn();
      if (!stops && step.last && sinceSaved.elapsed() < checkpointIntervalMs) continue;
      state = await saveIndexState(store, state, { ...state, position: step.position });
      sinceSaved = clock.stopwatch();
      if (stops) return { state, done: false, rewritten };
    }
  }
  return { state, done: true, rewritten };
}

/** All shards of all scopes, from a position on. */
async function* listPlaces(store: Store, from: Position | undefined): AsyncGenerator<Position> {
  const { table } = store.begin();
  for await (const { scope } of listScopes(table, from === undefined ? {} : { from: from.scope })) {
    for (const shard of shards) {
      if (scope === from?.scope && shard < from.shard) continue;
      yield scope === from?.scope && shard === from.shard ? from : { scope, shard };
    }
  }
}

interface Step {
  readonly position: Position;
  readonly outdated: readonly DidKey[];
  /** Whether the shard ends here. */
  readonly last: boolean;
}

async function* listSteps(store: Store, from: Position, state: IndexState): AsyncGenerator<Step> {
  const { table } = store.begin();
  let outdated: DidKey[] = [];
  let seen = 0;
  let position = from;
  for await (const did of listIndexable(table, from, state)) {
    if (did.outdated) outdated.push(did);
    seen += 1;
    position = { ...from, name: did.name };
    if (seen < didsPerStep) continue;
    yield { position, outdated, last: false };
    [outdated, seen] = [[], 0];
  }
  yield { position, outdated, last: true };
}

/** One write per DID, so that a conflict on one does not delay the others. */
async function rewriteEntries(store: Store, dids: readonly DidKey[], mayGoOn: () => boolean): Promise<void> {
  await forEachLimited(dids, maxParallelWrites, (did) => rewriteEntriesOf(store, did, mayGoOn));
}

/** A writer that died may keep a DID for a minute, which is longer than a write waits. */
async function rewriteEntriesOf(store: Store, did: DidKey, mayGoOn: () => boolean): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.write(async () => [reindexDid(did, () => new Gone())]);
    } catch (error) {
      if (error instanceof Gone) return;
      if (!isContention(error) || !mayGoOn()) throw error;
      await backOff(pauses, attempt);
    }
  }
}

/** The DID was deleted concurrently, together with its entries. */
class Gone extends Error {
  override readonly name = 'Gone';
}
