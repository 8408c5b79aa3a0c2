import { adminOr, type Rights, type Right, type RoleAtRse } from '../../lib/policy/rights.ts';

/** Administrators of the country of an RSE. */
export const countryAdmin: RoleAtRse = { prefix: 'country-', values: ['admin'], attribute: 'country' };

/** Owner of the scope, or anybody in the scope for tests. */
const fillsScope = adminOr({ owns: ['mock'] });
const writesScope = adminOr({ owns: [] });
const registers = adminOr({ all: ['own rules', { owns: ['mock'] }] });
const ownRule = adminOr('own account');
const usage = adminOr('own account', { role: countryAdmin });
const moves = adminOr({ has: 'mover' });
const ofLimit = adminOr({ roleAt: countryAdmin });
const ofLimits = adminOr({ roleAt: { ...countryAdmin, every: true } });

/** Names of RSEs on which everybody may register replicas of new files. */
export const openRses = '(SCRATCHDISK|USERDISK|MOCK|LOCALGROUPDISK)$';

/**
 * Accounts that register replicas: those that answer for the files, with a quota; movers those of files that exist; others whom a policy
 * trusts.
 *
 * @param open Name of RSEs, as a regular expression, on which everybody may register replicas of new files.
 */
export const registersReplicas = (open: string, ...others: readonly Right[]): Right =>
  adminOr(
    { all: [{ rse: open }, { any: [{ has: 'mover' }, { files: 'known answered' }] }] },
    { all: [{ has: 'mover' }, { files: 'none new' }] },
    { all: [{ has: 'mover' }, { files: 'new owned' }, 'quota'] },
    { all: [{ files: 'owned' }, 'quota'] },
    ...others,
  );

/** Rucio's generic rights. Those that are not here are the usual ones. */
export default {
  add_did: registers,
  add_dids: registers,
  attach_dids: fillsScope,
  detach_dids: fillsScope,
  attach_dids_to_dids: writesScope,
  set_status: writesScope,
  set_metadata: writesScope,
  set_metadata_bulk: writesScope,
  create_did_sample: fillsScope,
  remove_did_from_followed: adminOr('own account'),
  update_scope: writesScope,
  set_rse_usage: 'root',
  add_replicas: registersReplicas(openRses),
  update_replicas_states: adminOr({
    all: ['results of transfers', { any: [{ has: 'mover' }, { files: 'known answered' }] }],
  }),
  declare_bad_file_replicas: 'root',
  add_bad_pfns: 'root',
  add_account: 'root',
  del_account: 'root',
  set_password: adminOr('own password'),
  set_local_account_limit: ofLimit,
  delete_local_account_limit: ofLimit,
  set_global_account_limit: ofLimits,
  delete_global_account_limit: ofLimits,
  get_local_account_usage: usage,
  get_global_account_usage: usage,
  export: 'root',
  list_heartbeats: 'root',
  lease_requests: moves,
  report_requests: moves,
  get_signed_url: { any: ['root', { has: 'sign-url' }] },
  add_opendata: writesScope,
  update_opendata: writesScope,
  remove_opendata: writesScope,
  add_rule: adminOr({ all: ['own account', 'unlocked'] }),
  del_rule: ownRule,
  reduce_rule: ownRule,
  move_rule: ownRule,
  update_rule: adminOr({ all: ['own account', 'plain change'] }),
} satisfies Rights as Rights;
