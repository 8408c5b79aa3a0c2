import { replicaStates } from '../../contract/schemas/replica.ts';
import type { Replica } from '../../store/entities/did.ts';

const names: Readonly<Record<string, string>> = { ...replicaStates, S: 'SOURCE' };

/** The letter of a replica's state at a time in milliseconds: what is unavailable for a time is available after it. */
export function stateOf({ state, until }: Replica, now: number): string {
  return state === 'T' && until !== undefined && until <= now ? 'A' : state;
}

/** The name of a state, by its letter. */
export function stateName(letter: string): string {
  return names[letter] ?? letter;
}

const letters = new Map(Object.entries(names).map(([letter, name]) => [name, letter]));

/** The letter of a state, by its name or as it is. */
export function stateLetter(state: string): string {
  return letters.get(state) ?? state;
}

/** How many locks keep a replica. */
export function lockCount({ locks = {} }: Replica): number {
  return Object.keys(locks).length;
}
