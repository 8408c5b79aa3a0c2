import { adminOr, type Rights, usualRight } from '../../lib/policy/rights.ts';
import generic, { openRses, registersReplicas } from './generic.ts';

/** Accounts of the pipelines. */
const dataUser = { has: 'data_user' } as const;
const fillsScope = adminOr(dataUser, { owns: ['mock'] });
const writesScope = adminOr(dataUser, { owns: [] });
const registers = adminOr({ all: ['own rules', { any: [dataUser, { owns: ['mock'] }] }] });

/** Rights at the Rubin Observatory. */
export default {
  ...generic,
  add_did: registers,
  add_dids: registers,
  attach_dids: fillsScope,
  detach_dids: fillsScope,
  attach_dids_to_dids: writesScope,
  create_did_sample: fillsScope,
  set_metadata: writesScope,
  set_metadata_bulk: writesScope,
  set_status: writesScope,
  add_scope: adminOr(dataUser),
  add_replicas: registersReplicas(openRses, dataUser),
  update_replicas_states: { any: [generic.update_replicas_states ?? usualRight, dataUser] },
  declare_bad_file_replicas: usualRight,
  add_bad_pfns: usualRight,
  add_rule: adminOr(dataUser, { all: ['own account', 'unlocked'] }),
  del_rule: adminOr('own account', dataUser),
  update_rule: adminOr(dataUser, { all: ['own account', 'plain change'] }),
  move_rule: adminOr('own account', dataUser),
  get_signed_url: 'root',
} satisfies Rights as Rights;
