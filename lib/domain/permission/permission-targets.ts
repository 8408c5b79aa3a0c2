import type { DidKey } from '../../contract/schemas/did.ts';
import type { ActionName } from '../../policy/rights.ts';
import type { NewReplicas, ReplicaStates } from './replica-permission.ts';
import type { RequestsTarget } from './request-permission.ts';
import type { ChangedRule, NewRules, OwnedRule } from './rule-permission.ts';

/** Target of each action of the permission table. */
export interface Targets {
  add_did: { scope: string } & WithRules;
  add_dids: { scopes: readonly string[] } & WithRules;
  attach_dids: DidKey;
  detach_dids: DidKey;
  attach_dids_to_dids: { scopes: readonly string[] };
  set_status: DidKey;
  set_metadata: DidKey;
  set_metadata_bulk: DidKey;
  create_did_sample: { scope: string };
  resurrect: unknown;
  remove_did_from_followed: { account: string };
  add_key: unknown;
  add_value: { key: string; value: string };
  add_scope: unknown;
  update_scope: { scope: string };
  add_rse: unknown;
  update_rse: OnRse;
  del_rse: OnRse;
  add_rse_attribute: OnRse;
  del_rse_attribute: OnRse;
  set_rse_limits: OnRse & OnRses;
  delete_rse_limits: OnRse;
  set_rse_usage: OnRse & OnRses;
  add_distance: unknown;
  update_distance: unknown;
  delete_distance: unknown;
  add_qos_policy: OnRse;
  delete_qos_policy: OnRse;
  add_protocol: OnRse;
  update_protocol: OnRse;
  del_protocol: OnRse;
  add_replicas: NewReplicas & OnRses;
  update_replicas_states: ReplicaStates & OnRses;
  delete_replicas: OnReplicas;
  skip_availability_check: unknown;
  declare_bad_file_replicas: OnReplicas & OnRses;
  add_bad_pfns: { what: 'PFNs' | 'PFN or DIDs' };
  quarantine_file_replicas: unknown;
  set_tombstone: unknown;
  dump_replicas: OnReplicas;
  add_account: unknown;
  del_account: OfAccount;
  update_account: OfAccount & { key: string };
  add_attribute: OfAccount;
  del_attribute: OfAccount;
  add_account_identity: OfAccount;
  del_account_identity: OfAccount;
  set_password: { accounts: readonly string[]; isOwn: boolean };
  set_local_account_limit: OnRses;
  delete_local_account_limit: OnRses;
  set_global_account_limit: OnRses;
  delete_global_account_limit: OnRses;
  get_local_account_usage: { account: string };
  get_global_account_usage: { account: string };
  import: { accounts: readonly string[] };
  export: unknown;
  add_subscription: unknown;
  update_subscription: unknown;
  update_lifetime_exceptions: unknown;
  list_heartbeats: unknown;
  send_heartbeats: unknown;
  list_requests: RequestsTarget;
  list_requests_history: RequestsTarget;
  get_request_history_by_did: { did: DidKey; rse: string };
  lease_requests: unknown;
  report_requests: unknown;
  get_request_metrics: unknown;
  list_transfer_limits: unknown;
  set_transfer_limit: unknown;
  delete_transfer_limit: unknown;
  get_signed_url: Signing | undefined;
  add_opendata: DidKey;
  update_opendata: DidKey;
  remove_opendata: DidKey;
  add_rule: NewRules & OnRses;
  del_rule: OwnedRule & OnRses;
  update_rule: ChangedRule & OnRses;
  approve_rule: OnRses;
  reduce_rule: OwnedRule;
  move_rule: OwnedRule;
  config_sections: unknown;
  config_has_section: { section: string };
  config_has_option: OfConfig;
  config_get: OfConfig;
  config_set: OfConfig & { value: string };
}

/** The rules that are created with new DIDs. */
export interface WithRules {
  readonly ruleAccounts: readonly string[];
  /** One of them is locked: its account could not remove it. */
  readonly locksRules: boolean;
}

/** RSEs with their attributes; reading them costs reads. */
export interface OnRses {
  readonly rses: () => Promise<readonly AttributedRse[]>;
}

/** An RSE with what rights ask of it. */
export interface AttributedRse {
  readonly rse: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An option of the configuration; its name is in the denial. */
interface OfConfig {
  readonly section: string;
  readonly option: string;
}

/** The operation to sign, for the denial; undefined: read PFNs of a list, which is not denied but not signed. */
interface Signing {
  readonly rse: string;
  readonly service: string;
  readonly operation: string;
  readonly url: string;
  readonly lifetime: number;
}

/** The account that is changed. */
interface OfAccount {
  readonly account: string;
}

/** An RSE; its name is in the denial. */
interface OnRse {
  readonly rse: string;
}

/** Replicas on an RSE; its name is in the denial. */
interface OnReplicas {
  readonly rseName: string;
}

/** Name of an action. */
export type Action = ActionName;

/** Name of an action on one RSE. */
export type RseAction = { [A in Action]: Targets[A] extends OnRse ? A : never }[Action];
