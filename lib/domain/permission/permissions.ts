import { formatDid } from '../values/format-did.ts';
import type { Action, Countries, WithRules, Targets } from './permission-targets.ts';
import { explainAddingReplicas, mayAddReplicas, mayUpdateReplicas } from './replica-permission.ts';
import { denyListingRequests } from './request-permission.ts';
import { mayAddRules, mayChangeRule, mayEndRule } from './rule-permission.ts';
import { holdsForEveryScope, isRootAccount, isRootOrAdmin, rootAccount, type Subject } from './subject.ts';

interface Permission<T> {
  readonly allows: (subject: Subject, target: T) => Promise<boolean> | boolean;
  /** The denial after `Account <issuer> `; the blank at the end is Rucio's. */
  readonly denial: (target: T, account: string) => string;
  /** Whether the denial begins with `Account <issuer> `; by default it does. */
  readonly hasPrefix?: false;
  /** Text behind the denial, where Rucio puts the message of its policy: the right that the issuer lacks. */
  readonly reason?: (subject: Subject, target: T) => Promise<string>;
}

const mayWriteScope = async (subject: Subject, scope: string) =>
  (await isRootOrAdmin(subject)) || (await subject.owns(scope));
const mayFillScope = async (subject: Subject, scope: string) =>
  scope === 'mock' || (await mayWriteScope(subject, scope));

const mayAddDids = async (subject: Subject, scopes: readonly string[], { ruleAccounts, locksRules }: WithRules) => {
  if (await isRootOrAdmin(subject)) return true;
  if (locksRules || ruleAccounts.some((account) => account !== subject.account)) return false;
  return holdsForEveryScope(scopes, (scope) => mayFillScope(subject, scope));
};

const mayLimitRse = async (subject: Subject, { country }: { country: unknown }) =>
  (await isRootOrAdmin(subject)) || (await subject.administers()).some((own) => own === country);

const mayLimitRses = async (subject: Subject, { countries }: Countries) => {
  if (await isRootOrAdmin(subject)) return true;
  const own = new Set<unknown>(await subject.administers());
  if (own.size === 0) return false;
  const all = await countries();
  return all.length > 0 && all.every((country) => own.has(country));
};

const maySeeUsage = async (subject: Subject, { account }: { account: string }) =>
  subject.account === account || (await isRootOrAdmin(subject)) || (await subject.administers()).length > 0;

/** A change of root's identities, attributes or status makes its author root, or keeps root out: only root may. */
const mayChangeAccount = async (subject: Subject, { account }: { account: string }) =>
  account === rootAccount ? subject.isRoot : isRootOrAdmin(subject);

const mayChangeAccounts = async (subject: Subject, { accounts }: { accounts: readonly string[] }) =>
  accounts.includes(rootAccount) ? subject.isRoot : isRootOrAdmin(subject);

const mayMoveData = async (subject: Subject) => (await isRootOrAdmin(subject)) || (await subject.movesData());

/** Rucio's generic policy (spec/dids.md 5, spec/access.md 5.3, spec/rses.md 8): the permission of every action. */
export const permissions: { readonly [A in Action]: Permission<Targets[A]> } = {
  add_did: {
    allows: (subject, { scope, ...rules }) => mayAddDids(subject, [scope], rules),
    denial: ({ scope }) => `can not add data identifier to scope ${scope}. `,
  },
  add_dids: {
    allows: (subject, { scopes, ...rules }) => mayAddDids(subject, scopes, rules),
    denial: () => 'can not bulk add data identifier. ',
  },
  attach_dids: {
    allows: (subject, { scope }) => mayFillScope(subject, scope),
    denial: (parent) => `can not add data identifiers to ${formatDid(parent)}. `,
  },
  detach_dids: {
    allows: (subject, { scope }) => mayFillScope(subject, scope),
    denial: (parent) => `can not detach data identifiers from ${formatDid(parent)}. `,
  },
  attach_dids_to_dids: {
    allows: (subject, { scopes }) => holdsForEveryScope(scopes, (scope) => mayWriteScope(subject, scope)),
    denial: () => 'can not add data identifiers. ',
  },
  set_status: {
    allows: (subject, { scope }) => mayWriteScope(subject, scope),
    denial: (target) => `can not set status on data identifier ${formatDid(target)}. `,
  },
  set_metadata: {
    allows: (subject, { scope }) => mayWriteScope(subject, scope),
    denial: (target) => `can not add metadata to data identifier ${formatDid(target)}. `,
  },
  set_metadata_bulk: {
    allows: (subject, { scope }) => mayWriteScope(subject, scope),
    denial: (target) => `can not add metadata to data identifier ${formatDid(target)}. `,
  },
  create_did_sample: {
    allows: (subject, { scope }) => mayFillScope(subject, scope),
    denial: () => 'can not bulk add data identifier. ',
  },
  resurrect: { allows: isRootOrAdmin, denial: () => 'can not resurrect data identifiers. ' },
  remove_did_from_followed: {
    allows: async (subject, { account }) => subject.account === account || (await isRootOrAdmin(subject)),
    denial: () => 'can not remove data identifiers from followed table. ',
  },
  add_key: { allows: isRootOrAdmin, denial: () => 'can not add key. ' },
  add_value: { allows: isRootOrAdmin, denial: ({ key, value }) => `can not add value ${value} to key ${key}. ` },
  add_scope: { allows: isRootOrAdmin, denial: () => 'can not add scope. ' },
  update_scope: {
    allows: (subject, { scope }) => mayWriteScope(subject, scope),
    denial: () => 'can not add scope. ',
  },
  add_rse: { allows: isRootOrAdmin, denial: () => 'can not add RSE. ' },
  update_rse: { allows: isRootOrAdmin, denial: () => 'can not update RSE. ' },
  del_rse: { allows: isRootOrAdmin, denial: () => 'can not delete RSE. ' },
  add_rse_attribute: { allows: isRootOrAdmin, denial: () => 'can not add RSE attributes. ' },
  del_rse_attribute: { allows: isRootOrAdmin, denial: () => 'can not delete RSE attributes. ' },
  set_rse_limits: { allows: isRootOrAdmin, denial: ({ rse }) => `can not update RSE limits for RSE ${rse}. ` },
  delete_rse_limits: { allows: isRootOrAdmin, denial: ({ rse }) => `can not update RSE limits for RSE ${rse}. ` },
  set_rse_usage: {
    allows: isRootAccount,
    denial: ({ rse }) => `can not update RSE usage information for RSE ${rse}. `,
  },
  add_distance: { allows: isRootOrAdmin, denial: () => 'can not add RSE distances. ' },
  update_distance: { allows: isRootOrAdmin, denial: () => 'can not update RSE distances. ' },
  delete_distance: { allows: isRootOrAdmin, denial: () => 'can not update RSE distances. ' },
  add_qos_policy: { allows: isRootOrAdmin, denial: ({ rse }) => `cannot add QoS policies to RSE ${rse}. ` },
  delete_qos_policy: { allows: isRootOrAdmin, denial: ({ rse }) => `cannot delete QoS policies from RSE ${rse}. ` },
  add_protocol: { allows: isRootOrAdmin, denial: ({ rse }) => `can not add protocols to RSE ${rse}. ` },
  update_protocol: { allows: isRootOrAdmin, denial: ({ rse }) => `can not update protocols from RSE ${rse}. ` },
  del_protocol: { allows: isRootOrAdmin, denial: ({ rse }) => `can not delete protocols from RSE ${rse}. ` },
  add_replicas: {
    allows: mayAddReplicas,
    denial: ({ rseName }) => `can not add file replicas on ${rseName}. `,
    reason: explainAddingReplicas,
  },
  update_replicas_states: {
    allows: mayUpdateReplicas,
    denial: ({ rseName }) => `can not update file replicas state on ${rseName}. `,
  },
  delete_replicas: {
    allows: isRootOrAdmin,
    denial: ({ rseName }) => `can not delete file replicas on ${rseName}. `,
  },
  declare_bad_file_replicas: {
    allows: isRootAccount,
    denial: ({ rseName }) => `can not declare bad replicas in RSE ${rseName}. `,
  },
  add_bad_pfns: { allows: isRootAccount, denial: ({ what }) => `can not declare bad ${what}. ` },
  quarantine_file_replicas: { allows: isRootOrAdmin, denial: () => 'can not quarantine replicas. ' },
  skip_availability_check: { allows: isRootOrAdmin, denial: () => 'can not skip the check of availability. ' },
  set_tombstone: { allows: isRootOrAdmin, denial: () => 'can not set tombstones. ' },
  dump_replicas: {
    allows: isRootOrAdmin,
    denial: ({ rseName }) => `can not dump the replicas on ${rseName}. `,
  },
  add_account: { allows: isRootAccount, denial: () => 'can not add account. ' },
  del_account: { allows: isRootAccount, denial: () => 'can not delete account. ' },
  update_account: { allows: mayChangeAccount, denial: ({ key }) => `can not change ${key}  of the account. ` },
  add_attribute: { allows: mayChangeAccount, denial: () => 'can not add attributes. ' },
  del_attribute: { allows: mayChangeAccount, denial: () => 'can not delete attribute. ' },
  add_account_identity: { allows: mayChangeAccount, denial: () => 'can not add account identity. ' },
  del_account_identity: { allows: mayChangeAccount, denial: () => 'can not delete account identity. ' },
  set_password: {
    allows: (subject, target) => target.isOwn || mayChangeAccounts(subject, target),
    denial: () => 'can not set the password of this identity. ',
  },
  set_local_account_limit: { allows: mayLimitRse, denial: () => 'can not set account limits. ' },
  delete_local_account_limit: { allows: mayLimitRse, denial: () => 'can not delete account limits. ' },
  set_global_account_limit: { allows: mayLimitRses, denial: () => 'can not set account limits. ' },
  delete_global_account_limit: { allows: mayLimitRses, denial: () => 'can not delete global account limits. ' },
  get_local_account_usage: { allows: maySeeUsage, denial: () => 'can not list account usage. ' },
  get_global_account_usage: { allows: maySeeUsage, denial: () => 'can not list global account usage. ' },
  import: { allows: mayChangeAccounts, denial: () => 'can not import data. ' },
  export: { allows: isRootAccount, denial: () => 'can not export data. ' },
  add_subscription: { allows: isRootOrAdmin, denial: () => 'can not add subscription. ' },
  update_subscription: { allows: isRootOrAdmin, denial: () => 'can not update subscription. ' },
  update_lifetime_exceptions: { allows: isRootOrAdmin, denial: () => 'can not update lifetime exceptions. ' },
  list_heartbeats: {
    allows: isRootAccount,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot list heartbeats. `,
  },
  send_heartbeats: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot send heartbeats. `,
  },
  list_requests: { allows: isRootOrAdmin, hasPrefix: false, denial: denyListingRequests },
  list_requests_history: { allows: isRootOrAdmin, hasPrefix: false, denial: denyListingRequests },
  get_request_history_by_did: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: ({ did: target, rse }, account) =>
      `${account} cannot retrieve the request DID ${formatDid(target)} to RSE ${rse}. `,
  },
  lease_requests: {
    allows: mayMoveData,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot lease requests. `,
  },
  report_requests: {
    allows: mayMoveData,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot report on requests. `,
  },
  get_request_metrics: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot get request statistics. `,
  },
  list_transfer_limits: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot list transfer limits. `,
  },
  set_transfer_limit: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot set transfer limits. `,
  },
  delete_transfer_limit: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot delete transfer limits. `,
  },
  get_signed_url: {
    allows: async (subject) => subject.isRoot || (await subject.mayHaveSigned()),
    denial: (wish) =>
      `can not get signed URL for rse=${wish?.rse}, service=${wish?.service}, operation=${wish?.operation}, ` +
      `url=${wish?.url}, lifetime=${wish?.lifetime}. `,
  },
  add_opendata: {
    allows: (subject, { scope }) => mayWriteScope(subject, scope),
    denial: (target) => `can not add ${formatDid(target)} to the open data. `,
  },
  update_opendata: {
    allows: (subject, { scope }) => mayWriteScope(subject, scope),
    denial: (target) => `can not change the open data ${formatDid(target)}. `,
  },
  remove_opendata: {
    allows: (subject, { scope }) => mayWriteScope(subject, scope),
    denial: (target) => `can not remove ${formatDid(target)} from the open data. `,
  },
  add_rule: { allows: mayAddRules, denial: () => 'can not add replication rule. ' },
  del_rule: { allows: mayEndRule, denial: () => 'can not remove this replication rule. ' },
  update_rule: { allows: mayChangeRule, denial: () => 'can not update this replication rule. ' },
  approve_rule: { allows: isRootOrAdmin, denial: () => 'can not approve/deny this replication rule. ' },
  reduce_rule: { allows: mayEndRule, denial: () => 'can not reduce this replication rule. ' },
  move_rule: { allows: mayEndRule, denial: () => 'can not move this replication rule. ' },
  config_sections: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: (_all, account) => `${account} cannot retrieve sections. `,
  },
  config_has_section: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: ({ section }, account) => `${account} cannot check existence of section ${section}. `,
  },
  config_has_option: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: ({ section, option }, account) =>
      `${account} cannot check existence of option ${option} from section ${section}. `,
  },
  config_get: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: ({ section, option }) => `Access to '${section}' option '${option}' denied`,
  },
  config_set: {
    allows: isRootOrAdmin,
    hasPrefix: false,
    denial: ({ section, option, value }, account) =>
      `${account} cannot set option ${option} to ${value} in section ${section}. `,
  },
};
