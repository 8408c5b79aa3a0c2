import { isDeepStrictEqual } from 'node:util';

import { type FreeIndex, freeKeysName, type IndexState, type KeyState } from '../../store/entities/index-state.ts';

type Keys = IndexState['keys'];
type Content = Pick<IndexState, 'keys' | 'free'>;

/** Options of free metadata. */
export type FreeSettings = Pick<FreeIndex, 'maxKeys' | 'excluded'>;

/** Keys to index, by the configuration. */
export interface Wanted {
  readonly keys: ReadonlySet<string>;
  readonly free: FreeSettings;
}

/** The content of the state after a change of the configuration. */
export function adoptConfiguration({ keys, free }: Content, wanted: Wanted): Content {
  const adopted = new Map<string, KeyState>();
  for (const [key, state] of keys) {
    if (key !== freeKeysName) adopted.set(key, wanted.keys.has(key) ? onWanted[state] : onUnwanted[state]);
  }
  for (const key of wanted.keys) if (!keys.has(key)) adopted.set(key, 'filling');
  const ofFree = adoptFree(keys.get(freeKeysName), free, wanted.free);
  return { keys: adopted.set(freeKeysName, ofFree.state), free: ofFree.free };
}

/** A retiring key is still maintained and can be used at once. A key that is being dropped must be filled again. */
const onWanted: Readonly<Record<KeyState, KeyState>> = {
  filling: 'filling',
  ready: 'ready',
  retiring: 'ready',
  dropping: 'filling',
};

/** No search uses a key that is being filled, so it can be dropped at once. */
const onUnwanted: Readonly<Record<KeyState, KeyState>> = {
  filling: 'dropping',
  ready: 'retiring',
  retiring: 'retiring',
  dropping: 'dropping',
};

interface FreeState {
  readonly state: KeyState;
  readonly free: FreeIndex;
}

/**
 * The state of the free metadata after a change of its settings. Searches stop to use it first; then a new epoch begins with
 * the new settings. Only code that does not know free metadata takes its state away or drops it: what DIDs note is in doubt
 * after that, as it is before the first filling.
 */
function adoptFree(state: KeyState | undefined, free: FreeIndex | undefined, wanted: FreeSettings): FreeState {
  if (state === undefined || state === 'dropping' || free === undefined)
    return { state: 'filling', free: { ...wanted, epoch: (free?.epoch ?? 0) + 1, isDoubtful: true } };
  const { maxKeys, excluded } = free;
  if (isDeepStrictEqual({ maxKeys, excluded }, wanted)) return { state, free };
  return state === 'filling' ? { state, free: beginEpoch(free, wanted) } : { state: 'retiring', free };
}

function beginEpoch(free: FreeIndex, wanted: FreeSettings): FreeIndex {
  const { maxKeys, excluded, epoch } = free;
  // Older code retires what it does not know.
  const isUnexplained = isDeepStrictEqual({ maxKeys, excluded }, wanted);
  return { ...wanted, epoch: epoch + 1, isDoubtful: free.isDoubtful || isUnexplained };
}

/** The next step of maintenance; `nothing` if every key is ready. */
export function nextStep({ keys }: IndexState): 'nothing' | 'drop' | 'build' {
  const states = new Set(keys.values());
  if (states.has('retiring')) return 'drop';
  return states.has('filling') || states.has('dropping') ? 'build' : 'nothing';
}

/** The content after the last search by a retiring key has ended. */
export function dropRetiring({ keys, free }: Content, wanted: FreeSettings): Content {
  const isFreeRetiring = free !== undefined && keys.get(freeKeysName) === 'retiring';
  const left = [...keys].map(([key, state]): [string, KeyState] => [key, state === 'retiring' ? 'dropping' : state]);
  if (!isFreeRetiring) return { keys: new Map(left), ...(free === undefined ? {} : { free }) };
  return { keys: new Map(left).set(freeKeysName, 'filling'), free: beginEpoch(free, wanted) };
}

/** The content after a complete scan of all DIDs. */
export function finishBuilding({ keys, free }: Content): Content {
  const left = [...keys].filter(([, state]) => state !== 'dropping');
  const ready = new Map(left.map(([key, state]): [string, KeyState] => [key, state === 'filling' ? 'ready' : state]));
  return { keys: ready, ...(free === undefined ? {} : { free: { ...free, isDoubtful: false } }) };
}

/** The state of an index that has no keys yet. */
export const emptyKeys: { readonly keys: Keys } = { keys: new Map() };
