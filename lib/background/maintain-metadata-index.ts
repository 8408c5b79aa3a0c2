import { isDeepStrictEqual } from 'node:util';

import { readOption } from '../domain/config/options.ts';
import { indexableKeys } from '../domain/metadata-index/indexable.ts';
import { adoptKeys, dropRetiring, finishBuilding, nextStep } from '../domain/metadata-index/life-cycle.ts';
import { Overtaken, saveState } from '../domain/metadata-index/save-state.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { getIndexState, type IndexState, type KeyState } from '../store/entities/index-state.ts';
import { listScopes } from '../store/entities/scope.ts';
import type { Store } from '../store/open-store.ts';
import { build } from './build-metadata-index.ts';

/** What a run has done. */
export interface IndexRun {
  /** DIDs whose entries were made anew. */
  readonly rewritten: number;
  /** Whether nothing is left to be done. */
  readonly done: boolean;
}

/**
 * How long after a change of the index's state every process knows of it and is through with what it began before, in
 * milliseconds: the state is remembered for one minute, and the longest bulk request is given up within twelve. New code
 * reaches all functions within that time, too.
 */
const settlingTime = 900_000;

/**
 * Brings the metadata index towards the keys that `[metadata] indexed_keys` names (docs/adr/0009-metadata-index.md): a new
 * key is filled from the DIDs that there are and then used; one that is named no longer is emptied. Safe to repeat, to
 * interrupt and to run twice at once.
 *
 * Costs 2 reads when there is nothing to do.
 *
 * @param options.settling How long to wait after each change of the state, in milliseconds; 0 where nobody else uses the
 *   table.
 * @param options.settled A time before which nobody used the table: a state from before it needs no settling.
 * @param options.budget How long it may take, in milliseconds; 0: the state is brought up to date, and nothing is filled. What is not done then is left to the next run.
 * @param options.signal Ends it after the step that is under way.
 */
export async function maintainMetadataIndex(
  { store, now }: AnonymousContext,
  {
    settling = settlingTime,
    settled = 0,
    budget = 180_000,
    signal,
  }: {
    readonly settling?: number;
    readonly settled?: number;
    readonly budget?: number;
    readonly signal?: AbortSignal;
  } = {},
): Promise<IndexRun> {
  const startedAt = performance.now();
  const clock = () => Math.round(now + performance.now() - startedAt);
  const mayGoOn = () => clock() < now + budget && signal?.aborted !== true;
  let rewritten = 0;
  try {
    let state = await adopt(store, clock());
    const isSettled = ({ since }: IndexState) => since < settled || clock() >= since + settling;
    while (nextStep(state) !== 'nothing' && isSettled(state)) {
      if (nextStep(state) === 'drop') {
        state = await saveState(store, state, { keys: dropRetiring(state.keys), since: clock() });
        continue;
      }
      if (!mayGoOn()) break;
      const built = await build(store, state, mayGoOn);
      rewritten += built.rewritten;
      if (!built.done) return { rewritten, done: false };
      state = await saveState(store, built.state, { keys: finishBuilding(state.keys), since: clock() });
    }
    return { rewritten, done: nextStep(state) === 'nothing' };
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return { rewritten, done: false };
  }
}

/** The state once the configuration was looked at. */
async function adopt(store: Store, now: number): Promise<IndexState> {
  const { table } = store.begin();
  const [state, named] = await Promise.all([getIndexState(table), readOption(table, 'metadata', 'indexed_keys')]);
  const before = state?.keys ?? new Map<string, KeyState>();
  const keys = adoptKeys(before, new Set(indexableKeys(named)));
  if (state !== undefined && isDeepStrictEqual(before, keys)) return state;
  const adopted = await saveState(store, state, { keys, since: now });
  if (state !== undefined || (await hasScopes(store))) return adopted;
  // Whoever makes the first DID makes its scope before, and therefore finds this state.
  return saveState(store, adopted, { keys: finishBuilding(keys), since: now });
}

async function hasScopes(store: Store): Promise<boolean> {
  return (await listScopes(store.begin().table).next()).done !== true;
}
