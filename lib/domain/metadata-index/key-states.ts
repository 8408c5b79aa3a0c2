import type { IndexState, KeyState } from '../../store/entities/index-state.ts';

type Keys = IndexState['keys'];

/** The keys of the index after a change of the configuration. */
export function adoptKeys(keys: Keys, wanted: ReadonlySet<string>): Keys {
  const adopted = new Map<string, KeyState>();
  for (const [key, state] of keys) adopted.set(key, wanted.has(key) ? onWanted[state] : onUnwanted[state]);
  for (const key of wanted) if (!keys.has(key)) adopted.set(key, 'filling');
  return adopted;
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

/** The next step of maintenance; `nothing` if every key is ready. */
export function nextStep({ keys }: IndexState): 'nothing' | 'drop' | 'build' {
  const states = new Set(keys.values());
  if (states.has('retiring')) return 'drop';
  return states.has('filling') || states.has('dropping') ? 'build' : 'nothing';
}

/** The keys after the last search by a retiring key has ended. */
export function dropRetiring(keys: Keys): Keys {
  return new Map([...keys].map(([key, state]) => [key, state === 'retiring' ? 'dropping' : state]));
}

/** The keys after a complete scan of all DIDs. */
export function finishBuilding(keys: Keys): Keys {
  const left = [...keys].filter(([, state]) => state !== 'dropping');
  return new Map(left.map(([key, state]) => [key, state === 'filling' ? 'ready' : state]));
}
