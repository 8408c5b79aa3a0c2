import { adminOr, type Rights, usualRight } from '../../lib/policy/rights.ts';
import generic, { openRses, registersReplicas } from './generic.ts';

/** Accounts have a right by an attribute of its name. */
const named = (name: string) => ({ has: name });

/** Rights at Jefferson Lab. */
export default {
  ...generic,
  add_rule: adminOr({ all: ['own account', 'unlocked'] }, named('add_rule')),
  add_subscription: adminOr(named('add_subscription')),
  update_subscription: adminOr(named('update_subscription')),
  add_dids: usualRight,
  add_replicas: registersReplicas(openRses, named('add_replicas')),
  update_replicas_states: { any: [generic.update_replicas_states ?? usualRight, named('add_replicas')] },
  del_rule: adminOr('own account', named('del_rule')),
  update_rule: adminOr({ all: ['own account', 'plain change'] }, named('update_rule')),
  get_signed_url: { any: ['root', { has: 'sign-gcs' }] },
} satisfies Rights as Rights;
