import { adminOr, type Right, type Rights, type RoleAtRse, usualRight } from '../../lib/policy/rights.ts';
import generic, { countryAdmin } from './generic.ts';

/** Rights of `root` and admins alike, and of those who administer a cloud. */
const cloud = adminOr({ role: { prefix: 'cloud-', values: ['admin'] } });
const heartbeats: Right = { has: 'handle_heartbeats' };
const limits = adminOr({ roleAt: countryAdmin }, { listedIn: { attribute: 'quota_approvers' } });

/** Members of a group or a country, at the RSEs of their kind. */
const memberAt = (type: string, attribute: string): readonly Right[] =>
  ['group-', 'country-'].map((prefix) => ({ roleAt: { prefix, values: ['admin', 'user'], attribute, types: [type] } }));

const atRse: Right = {
  any: [
    ...memberAt('GROUPDISK', 'physgroup'),
    ...memberAt('LOCALGROUPDISK', 'country'),
    { rseIs: { attribute: 'type', values: ['SCRATCHDISK', 'MOCK', 'TEST'] } },
  ],
};
const answers: Right = { any: [{ has: 'mover' }, { files: 'known answered' }] };
const groupAdmin: RoleAtRse = { prefix: 'group-', values: ['admin'], attribute: 'physgroup', types: ['GROUPDISK'] };

/** Rights at ATLAS. */
export default {
  ...generic,
  update_scope: 'root',
  list_requests: 'root',
  list_requests_history: 'root',
  get_request_history_by_did: 'root',
  list_transfer_limits: 'root',
  set_transfer_limit: 'root',
  delete_transfer_limit: 'root',
  add_replicas: adminOr({ all: [atRse, answers] }, { all: [{ has: 'mover' }, { files: 'none new' }] }),
  update_replicas_states: adminOr({ all: ['results of transfers', answers] }),
  declare_bad_file_replicas: cloud,
  add_bad_pfns: cloud,
  export: cloud,
  set_local_account_limit: limits,
  delete_local_account_limit: limits,
  get_local_account_usage: 'anyone',
  get_global_account_usage: 'anyone',
  list_heartbeats: { any: ['root', heartbeats] },
  send_heartbeats: adminOr(heartbeats),
  del_rule: adminOr('own account', { roleAt: countryAdmin }, { listedIn: { attribute: 'rule_deleters' } }),
  update_rule: adminOr({
    all: [
      { keeps: ['account', 'state', 'priority', 'child_rule_id', 'meta', 'boost_rule'] },
      { any: [{ roleAt: countryAdmin }, { all: ['own account', { keeps: ['locked'] }] }] },
    ],
  }),
  approve_rule: adminOr(
    { listedIn: { attribute: 'rule_approvers' } },
    { roleAt: { ...countryAdmin, types: ['LOCALGROUPDISK', 'LOCALGROUPTAPE'] } },
    { roleAt: groupAdmin },
  ),
  get_signed_url: { any: ['root', { has: 'sign-gcs' }] },
  get_request_metrics: usualRight,
} satisfies Rights as Rights;
