import { isDeepStrictEqual } from 'node:util';

import { clock } from '../clock.ts';
import { readOption } from '../domain/config/read-option.ts';
import { selectIndexableKeys } from '../domain/metadata-index/indexable-keys.ts';
import {
  adoptConfiguration,
  dropRetiring,
  emptyKeys,
  finishBuilding,
  nextStep,
  type Wanted,
} from '../domain/metadata-index/key-states.ts';
import { IndexStateConflict, saveIndexState } from '../domain/metadata-index/save-index-state.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { getIndexState, type IndexState, settlingTimeMs } from '../store/entities/index-state.ts';
import { listScopes } from '../store/entities/scope.ts';
import type { Store } from '../store/open-store.ts';
import { buildMetadataIndex } from './build-metadata-index.ts';

/** The result of a run. */
export interface IndexRun {
  /** DIDs whose entries were rewritten. */
  readonly rewritten: number;
  /** Whether nothing is left to do. */
  readonly done: boolean;
}

/**
 * Brings the metadata index in line with the options in `[metadata]` (docs/adr/0009-metadata-index.md): a new
 * key is filled from the existing DIDs and then used; a removed key is emptied. Idempotent; it may be interrupted, and
 * runs may overlap.
 *
 * Costs 2 reads if there is nothing to do.
 *
 * @param options.settlingMs How long to wait after each change of the state; 0 if no other process uses the table.
 * @param options.unusedBefore A time, in milliseconds since 1970, before which no process used the table: an older
 *   state needs no settling.
 * @param options.budgetMs Time limit; the rest is left to the next run. 0: only updates the state, fills nothing.
 * @param options.signal Ends the run after the current step.
 */
export async function maintainMetadataIndex(
  { store, now }: AnonymousContext,
  {
    settlingMs = settlingTimeMs,
    unusedBefore = 0,
    budgetMs = 180_000,
    signal,
  }: {
    readonly settlingMs?: number;
    readonly unusedBefore?: number;
    readonly budgetMs?: number;
    readonly signal?: AbortSignal;
  } = {},
): Promise<IndexRun> {
  const stopwatch = clock.stopwatch();
  const getTime = () => Math.round(now + stopwatch.elapsed());
  const mayGoOn = () => getTime() < now + budgetMs && signal?.aborted !== true;
  let rewritten = 0;
  try {
    const wanted = await readConfiguration(store);
    let state = await adoptState(store, wanted, getTime());
    const isSettled = ({ since }: IndexState) => since < unusedBefore || getTime() >= since + settlingMs;
    while (nextStep(state) !== 'nothing' && isSettled(state)) {
      if (nextStep(state) === 'drop') {
        state = await saveIndexState(store, state, { ...dropRetiring(state, wanted.free), since: getTime() });
        continue;
      }
      if (!mayGoOn()) break;
      const built = await buildMetadataIndex(store, state, mayGoOn);
      rewritten += built.rewritten;
      if (!built.done) return { rewritten, done: false };
      state = await saveIndexState(store, built.state, { ...finishBuilding(state), since: getTime() });
    }
    return { rewritten, done: nextStep(state) === 'nothing' };
  } catch (error) {
    if (!(error instanceof IndexStateConflict)) throw error;
    return { rewritten, done: false };
  }
}

async function readConfiguration(store: Store): Promise<Wanted> {
  const { table } = store.begin();
  const [named, excluded, maxKeys] = await Promise.all([
    readOption(table, 'metadata', 'indexed_keys'),
    readOption(table, 'metadata', 'excluded_keys'),
    readOption(table, 'metadata', 'max_keys_per_scope'),
  ]);
  return { keys: new Set(selectIndexableKeys(named)), free: { maxKeys, excluded: excluded.toSorted() } };
}

/** The state after the configuration was applied to it. */
async function adoptState(store: Store, wanted: Wanted, now: number): Promise<IndexState> {
  const state = await getIndexState(store.begin().table);
  const next = adoptConfiguration(state ?? emptyKeys, wanted);
  if (state !== undefined && isDeepStrictEqual({ keys: state.keys, free: state.free }, next)) return state;
  const adopted = await saveIndexState(store, state, { ...next, since: now });
  if (state !== undefined || (await hasScopes(store))) return adopted;
  // The first DID needs a scope, which is created after this state was saved: so its entries follow this state.
  return saveIndexState(store, adopted, { ...finishBuilding(next), since: now });
}

async function hasScopes(store: Store): Promise<boolean> {
  return (await listScopes(store.begin().table).next()).done !== true;
}
