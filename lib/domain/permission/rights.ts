import { type Right, usualRight } from '../../policy/rights.ts';
import type { Action, Targets } from './permission-targets.ts';
import { type Asked, type Predicate, predicateOf } from './predicates.ts';
import type { Subject } from './subject.ts';

import policy from '#policy';

/**
 * Rights that no policy can switch off: an account that changes the identities, attributes, password or status of root becomes root, or
 * keeps root out; and new states of replicas other than results of transfers are for administrators.
 */
const guards: Readonly<Partial<Record<Action, Right>>> = {
  update_account: { any: ['root', 'not of root'] },
  add_attribute: { any: ['root', 'not of root'] },
  del_attribute: { any: ['root', 'not of root'] },
  add_account_identity: { any: ['root', 'not of root'] },
  del_account_identity: { any: ['root', 'not of root'] },
  del_account: { any: ['root', 'not of root'] },
  set_password: { any: ['root', 'own password', 'not of root'] },
  import: { any: ['root', 'not of root'] },
  update_replicas_states: { any: [...usualRight.any, 'results of transfers'] },
};

const prepared = new Map<Action, Predicate>();

/** The right to do something, as the policy says. */
export const rightOf = (action: Action): Right => policy.rights[action] ?? usualRight;

/** Whether a subject has the right to do something. Reads no more than it takes to tell. */
export function allows<A extends Action>(action: A, subject: Subject, target: Targets[A]): boolean | Promise<boolean> {
  return allowsAsked(action, subject, target as Asked);
}

/** Whether a subject has the right to do something, with the properties that rights ask for. */
export function allowsAsked(action: Action, subject: Subject, target: Asked): boolean | Promise<boolean> {
  let predicate = prepared.get(action);
  if (predicate === undefined) {
    predicate = prepareAction(action, rightOf(action));
    prepared.set(action, predicate);
  }
  return predicate.holds(subject, target);
}

/** A right with its guards, ready to be asked. */
function prepareAction(action: Action, right: Right): Predicate {
  const own = guards[action];
  const claims = action === 'add_replicas' || action === 'update_replicas_states' ? [claimGuard(right)] : [];
  return prepare({ all: [...(own === undefined ? [] : [own]), ...claims, right] });
}

/**
 * Nor can a policy let everybody say, for the name of an RSE or by an office there, that files of others are there: rules would rely on
 * it. Those may whom an administrator trusts by an attribute that the policy names, and movers.
 */
function claimGuard(right: Right): Right {
  return { any: [...usualRight.any, { has: 'mover' }, ...attributesOf(right), { files: 'known answered' }] };
}

function attributesOf(right: Right): Right[] {
  if (typeof right === 'string') return [];
  if ('any' in right) return right.any.flatMap(attributesOf);
  if ('all' in right) return right.all.flatMap(attributesOf);
  return 'has' in right ? [right] : [];
}

/** A right, ready to be asked: of its parts the cheapest are asked first, and none once the answer is known. */
function prepare(right: Right): Predicate {
  if (typeof right === 'string') return predicateOf(right);
  if ('not' in right) {
    const { cost, holds } = prepare(right.not);
    return { cost, holds: async (subject, target) => !(await holds(subject, target)) };
  }
  if ('any' in right) return combine(right.any, true);
  if ('all' in right) return combine(right.all, false);
  return predicateOf(right);
}

function combine(rights: readonly Right[], decisive: boolean): Predicate {
  const parts = rights.map(prepare).toSorted((one, other) => one.cost - other.cost);
  return {
    cost: parts.at(-1)?.cost ?? 0,
    holds: async (subject, target) => {
      for (const { holds } of parts) {
        const verdict = holds(subject, target);
        if ((typeof verdict === 'boolean' ? verdict : await verdict) === decisive) return decisive;
      }
      return !decisive;
    },
  };
}
