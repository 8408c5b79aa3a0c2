import { adminOr, type Right, type Rights, usualRight } from '../../lib/policy/rights.ts';
import generic, { registersReplicas } from './generic.ts';

/** The attribute of the RSE names those who may, between commas. */
const named = (attribute: string): Right => ({ listedIn: { attribute } });
const limits = adminOr(named('site_admins'));

/** Rights at CMS. */
export default {
  ...generic,
  add_dids: usualRight,
  create_did_sample: 'root',
  add_replicas: registersReplicas('_Temp$'),
  declare_bad_file_replicas: adminOr(named('site_admins')),
  add_bad_pfns: usualRight,
  export: usualRight,
  set_rse_usage: { any: ['root', named('site_capacity_manager')] },
  set_rse_limits: adminOr(named('site_capacity_manager')),
  set_local_account_limit: limits,
  delete_local_account_limit: limits,
  set_global_account_limit: usualRight,
  delete_global_account_limit: usualRight,
  get_local_account_usage: 'anyone',
  get_global_account_usage: 'anyone',
  add_rule: {
    all: [
      adminOr({ all: ['own account', 'unlocked'] }),
      {
        any: ['asks approval', { not: { rseIs: { attribute: 'requires_approval', values: ['true', 'True', '1'] } } }],
      },
    ],
  },
  update_rule: adminOr({
    all: [
      'own account',
      'plain change',
      {
        changesOnly: [
          'lifetime',
          'state',
          'comment',
          'purge_replicas',
          'cancel_requests',
          'source_replica_expression',
          'child_rule_id',
        ],
      },
    ],
  }),
  approve_rule: adminOr({ listedIn: { attribute: 'rule_approvers', every: true } }),
  get_signed_url: 'root',
} satisfies Rights as Rights;
