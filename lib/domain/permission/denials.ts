import type { Right } from '../../policy/rights.ts';
import { formatDid } from '../values/format-did.ts';
import type { Action, Targets } from './permission-targets.ts';
import { explainAddingReplicas } from './replica-permission.ts';
import { denyListingRequests } from './request-permission.ts';
import type { Subject } from './subject.ts';

interface Denial<T> {
  /** The denial after `Account <issuer> `; the blank at the end is Rucio's. */
  readonly denial: (target: T, account: string) => string;
  /** Whether the denial begins with `Account <issuer> `; by default it does. */
  readonly hasPrefix?: false;
  /** Text behind the denial, where Rucio puts the message of its policy: the right that the issuer lacks. */
  readonly reason?: (subject: Subject, target: T, right: Right) => Promise<string>;
}

/** The denial of every action, in Rucio's words (spec/dids.md 5, spec/access.md 5.3, spec/rses.md 8). */
export const denials: { readonly [A in Action]: Denial<Targets[A]> } = {
  add_did: {
    denial: ({ scope }) => `can not add data identifier to scope ${scope}. `,
  },
  add_dids: {
    denial: () => 'can not bulk add data identifier. ',
  },
  attach_dids: {
    denial: (parent) => `can not add data identifiers to ${formatDid(parent)}. `,
  },
  detach_dids: {
    denial: (parent) => `can not detach data identifiers from ${formatDid(parent)}. `,
  },
  attach_dids_to_dids: {
    denial: () => 'can not add data identifiers. ',
  },
  set_status: {
    denial: (target) => `can not set status on data identifier ${formatDid(target)}. `,
  },
  set_metadata: {
    denial: (target) => `can not add metadata to data identifier ${formatDid(target)}. `,
  },
  set_metadata_bulk: {
    denial: (target) => `can not add metadata to data identifier ${formatDid(target)}. `,
  },
  create_did_sample: {
    denial: () => 'can not bulk add data identifier. ',
  },
  resurrect: { denial: () => 'can not resurrect data identifiers. ' },
  remove_did_from_followed: {
    denial: () => 'can not remove data identifiers from followed table. ',
  },
  add_key: { denial: () => 'can not add key. ' },
  add_value: { denial: ({ key, value }) => `can not add value ${value} to key ${key}. ` },
  add_scope: { denial: () => 'can not add scope. ' },
  update_scope: {
    denial: () => 'can not add scope. ',
  },
  add_rse: { denial: () => 'can not add RSE. ' },
  update_rse: { denial: () => 'can not update RSE. ' },
  del_rse: { denial: () => 'can not delete RSE. ' },
  add_rse_attribute: { denial: () => 'can not add RSE attributes. ' },
  del_rse_attribute: { denial: () => 'can not delete RSE attributes. ' },
  set_rse_limits: { denial: ({ rse }) => `can not update RSE limits for RSE ${rse}. ` },
  delete_rse_limits: { denial: ({ rse }) => `can not update RSE limits for RSE ${rse}. ` },
  set_rse_usage: {
    denial: ({ rse }) => `can not update RSE usage information for RSE ${rse}. `,
  },
  add_distance: { denial: () => 'can not add RSE distances. ' },
  update_distance: { denial: () => 'can not update RSE distances. ' },
  delete_distance: { denial: () => 'can not update RSE distances. ' },
  add_qos_policy: { denial: ({ rse }) => `cannot add QoS policies to RSE ${rse}. ` },
  delete_qos_policy: { denial: ({ rse }) => `cannot delete QoS policies from RSE ${rse}. ` },
  add_protocol: { denial: ({ rse }) => `can not add protocols to RSE ${rse}. ` },
  update_protocol: { denial: ({ rse }) => `can not update protocols from RSE ${rse}. ` },
  del_protocol: { denial: ({ rse }) => `can not delete protocols from RSE ${rse}. ` },
  add_replicas: {
    denial: ({ rseName }) => `can not add file replicas on ${rseName}. `,
    reason: explainAddingReplicas,
  },
  update_replicas_states: {
    denial: ({ rseName }) => `can not update file replicas state on ${rseName}. `,
  },
  delete_replicas: {
    denial: ({ rseName }) => `can not delete file replicas on ${rseName}. `,
  },
  declare_bad_file_replicas: {
    denial: ({ rseName }) => `can not declare bad replicas in RSE ${rseName}. `,
  },
  add_bad_pfns: { denial: ({ what }) => `can not declare bad ${what}. ` },
  quarantine_file_replicas: { denial: () => 'can not quarantine replicas. ' },
  skip_availability_check: { denial: () => 'can not skip the check of availability. ' },
  set_tombstone: { denial: () => 'can not set tombstones. ' },
  dump_replicas: {
    denial: ({ rseName }) => `can not dump the replicas on ${rseName}. `,
  },
  add_account: { denial: () => 'can not add account. ' },
  del_account: { denial: () => 'can not delete account. ' },
  update_account: { denial: ({ key }) => `can not change ${key}  of the account. ` },
  add_attribute: { denial: () => 'can not add attributes. ' },
  del_attribute: { denial: () => 'can not delete attribute. ' },
  add_account_identity: { denial: () => 'can not add account identity. ' },
  del_account_identity: { denial: () => 'can not delete account identity. ' },
  set_password: {
    denial: () => 'can not set the password of this identity. ',
  },
  set_local_account_limit: { denial: () => 'can not set account limits. ' },
  delete_local_account_limit: { denial: () => 'can not delete account limits. ' },
  set_global_account_limit: { denial: () => 'can not set account limits. ' },
  delete_global_account_limit: { denial: () => 'can not delete global account limits. ' },
  get_local_account_usage: { denial: () => 'can not list account usage. ' },
  get_global_account_usage: { denial: () => 'can not list global account usage. ' },
  import: { denial: () => 'can not import data. ' },
  export: { denial: () => 'can not export data. ' },
  add_subscription: { denial: () => 'can not add subscription. ' },
  update_subscription: { denial: () => 'can not update subscription. ' },
  update_lifetime_exceptions: { denial: () => 'can not update lifetime exceptions. ' },
  list_heartbeats: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot list heartbeats. `,
  },
  send_heartbeats: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot send heartbeats. `,
  },
  list_requests: { hasPrefix: false, denial: denyListingRequests },
  list_requests_history: { hasPrefix: false, denial: denyListingRequests },
  get_request_history_by_did: {
    hasPrefix: false,
    denial: ({ did: target, rse }, account) =>
      `${account} cannot retrieve the request DID ${formatDid(target)} to RSE ${rse}. `,
  },
  lease_requests: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot lease requests. `,
  },
  report_requests: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot report on requests. `,
  },
  get_request_metrics: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot get request statistics. `,
  },
  list_transfer_limits: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot list transfer limits. `,
  },
  set_transfer_limit: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot set transfer limits. `,
  },
  delete_transfer_limit: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot delete transfer limits. `,
  },
  get_signed_url: {
    denial: (wish) =>
      `can not get signed URL for rse=${wish?.rse}, service=${wish?.service}, operation=${wish?.operation}, ` +
      `url=${wish?.url}, lifetime=${wish?.lifetime}. `,
  },
  add_opendata: {
    denial: (target) => `can not add ${formatDid(target)} to the open data. `,
  },
  update_opendata: {
    denial: (target) => `can not change the open data ${formatDid(target)}. `,
  },
  remove_opendata: {
    denial: (target) => `can not remove ${formatDid(target)} from the open data. `,
  },
  add_rule: { denial: () => 'can not add replication rule. ' },
  del_rule: { denial: () => 'can not remove this replication rule. ' },
  update_rule: { denial: () => 'can not update this replication rule. ' },
  approve_rule: { denial: () => 'can not approve/deny this replication rule. ' },
  reduce_rule: { denial: () => 'can not reduce this replication rule. ' },
  move_rule: { denial: () => 'can not move this replication rule. ' },
  config_sections: {
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot retrieve sections. `,
  },
  config_has_section: {
    hasPrefix: false,
    denial: ({ section }, account) => `${account} cannot check existence of section ${section}. `,
  },
  config_has_option: {
    hasPrefix: false,
    denial: ({ section, option }, account) =>
      `${account} cannot check existence of option ${option} from section ${section}. `,
  },
  config_get: {
    hasPrefix: false,
    denial: ({ section, option }) => `Access to '${section}' option '${option}' denied`,
  },
  config_set: {
    hasPrefix: false,
    denial: ({ section, option, value }, account) =>
      `${account} cannot set option ${option} to ${value} in section ${section}. `,
  },
};
