import * as z from 'zod/mini';

import { mapped } from './common.ts';
import { listNames, ReplicaState } from './states.ts';

/** The name of a state, as answers have it. */
export const replicaStateName = z.enum(listNames(ReplicaState));

/**
 * The state of a new replica, by letter or name; its output is the letter. A union, because the message of a refusal lists the
 * values of the first member, which are those that Rucio lists.
 */
export const newReplicaState = mapped(
  z.union([
    z.enum([...Object.values(ReplicaState), ...listNames(ReplicaState).slice(0, -1)]),
    z.literal('TEMPORARY_UNAVAILABLE'),
  ]),
  toLetter(ReplicaState),
);

const { SOURCE: _onlyOfNewOnes, ...lasting } = ReplicaState;

/** The state of a replica, by letter or name; its output is the letter. */
export const replicaState = mapped(z.enum([...Object.values(lasting), ...listNames(lasting)]), toLetter(lasting));

function toLetter<Name extends string, Letter extends string>(states: Readonly<Record<Name, Letter>>) {
  return (text: Name | Letter): Letter => (Object.hasOwn(states, text) ? states[text as Name] : (text as Letter));
}
