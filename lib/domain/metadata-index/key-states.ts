import type { IndexState, KeyState } from '../../store/entities/index-state.ts';

type Keys = IndexState['keys'];

/** The keys of the index once it is known which are wanted. */
export function adoptKeys(keys: Keys, wanted: ReadonlySet<string>): Keys {
  const adopted = new Map<string, KeyState>();
  for (const [key, state] of keys) adopted.set(key, wanted.has(key) ? onWanted[state] : onUnwanted[state]);
  for (const key of wanted) if (!keys.has(key)) adopted.set(key, 'filling');
  return adopted;
}

/** One that is retiring was kept up all the time, one that is being dropped was not. */
const onWanted: Readonly<Record<KeyState, KeyState>> = {
  filling: 'filling',
  ready: 'ready',
  retiring: 'ready',
  dropping: 'filling',
};

/** No search has used one that was being filled. */
const onUnwanted: Readonly<Record<KeyState, KeyState>> = {
  filling: 'dropping',
  ready: 'retiring',
  retiring: 'retiring',
  dropping: 'dropping',
};

/** What has to happen next with the index; `nothing` when every key is ready. */
export function nextStep({ keys }: IndexState): 'nothing' | 'drop' | 'build' {
  const states = new Set(keys.values());
  if (states.has('retiring')) return 'drop';
  return states.has('filling') || states.has('dropping') ? 'build' : 'nothing';
}

/** The keys once no search uses those any more that are retiring. */
export function dropRetiring(keys: Keys): Keys {
  return new Map([...keys].map(([key, state]) => [key, state === 'retiring' ? 'dropping' : state]));
}

/** The keys once every DID was looked at. */
export function finishBuilding(keys: Keys): Keys {
  const left = [...keys].filter(([, state]) => state !== 'dropping');
  return new Map(left.map(([key, state]) => [key, state === 'filling' ? 'ready' : state]));
}
