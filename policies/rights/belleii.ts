import { adminOr, type Rights, usualRight } from '../../lib/policy/rights.ts';
import generic, { countryAdmin, registersReplicas } from './generic.ts';

const accounts = adminOr({ has: 'account_admin' });
const rses = adminOr({ has: 'rse_admin' });
const subscriptions = adminOr({ has: 'subscription_admin' });
const config = adminOr({ has: 'config_admin' });
const didAdmin = { has: 'did_admin' } as const;
const ruleAdmin = { has: 'rule_admin' } as const;
const writesScope = adminOr(didAdmin, { owns: [] });
const registers = adminOr({ all: ['own rules', { any: [didAdmin, { has: 'production_account' }, { owns: [] }] }] });
const limits = adminOr({ all: [{ has: 'rse_admin' }, { has: 'account_admin' }] });
const usage = adminOr('own account', { has: 'rse_admin' }, { has: 'account_admin' });

/** Rights at Belle II. */
export default {
  ...generic,
  add_account: accounts,
  del_account: accounts,
  update_account: accounts,
  add_attribute: accounts,
  del_attribute: accounts,
  add_account_identity: accounts,
  del_account_identity: accounts,
  add_scope: adminOr({ has: 'scope_admin' }),
  add_rse: rses,
  update_rse: rses,
  del_rse: rses,
  add_protocol: rses,
  update_protocol: rses,
  del_protocol: rses,
  add_rse_attribute: rses,
  del_rse_attribute: rses,
  set_rse_usage: rses,
  set_rse_limits: rses,
  add_subscription: subscriptions,
  update_subscription: subscriptions,
  config_sections: config,
  config_has_section: config,
  config_has_option: config,
  config_get: config,
  config_set: config,
  add_did: registers,
  add_dids: registers,
  attach_dids: writesScope,
  detach_dids: writesScope,
  attach_dids_to_dids: writesScope,
  create_did_sample: adminOr(didAdmin, { owns: ['mock'] }),
  set_metadata: writesScope,
  set_metadata_bulk: writesScope,
  set_status: writesScope,
  add_replicas: registersReplicas('TMP-SE$', {
    all: [{ rse: 'LOCAL-SE$' }, { roleAt: countryAdmin }, { files: 'known answered' }],
  }),
  declare_bad_file_replicas: usualRight,
  add_bad_pfns: usualRight,
  list_heartbeats: usualRight,
  export: usualRight,
  add_rule: adminOr(ruleAdmin, { all: ['own account', 'unlocked'] }),
  del_rule: adminOr('own account', ruleAdmin, { roleAt: countryAdmin }, { listedIn: { attribute: 'rule_deleters' } }),
  update_rule: adminOr(ruleAdmin, { all: ['own account', 'plain change'] }),
  approve_rule: adminOr(ruleAdmin),
  reduce_rule: adminOr('own account', ruleAdmin),
  move_rule: adminOr('own account', ruleAdmin),
  set_local_account_limit: { any: [limits, { roleAt: countryAdmin }] },
  delete_local_account_limit: limits,
  set_global_account_limit: limits,
  delete_global_account_limit: limits,
  get_local_account_usage: usage,
  get_global_account_usage: usage,
  get_signed_url: adminOr({ has: 'sign-gcs' }),
} satisfies Rights as Rights;
