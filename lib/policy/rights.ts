/** What an account may want to do. */
export const actionNames = [
  'add_did',
  'add_dids',
  'attach_dids',
  'detach_dids',
  'attach_dids_to_dids',
  'set_status',
  'set_metadata',
  'set_metadata_bulk',
  'create_did_sample',
  'resurrect',
  'remove_did_from_followed',
  'add_key',
  'add_value',
  'add_scope',
  'update_scope',
  'add_rse',
  'update_rse',
  'del_rse',
  'add_rse_attribute',
  'del_rse_attribute',
  'set_rse_limits',
  'delete_rse_limits',
  'set_rse_usage',
  'add_distance',
  'update_distance',
  'delete_distance',
  'add_qos_policy',
  'delete_qos_policy',
  'add_protocol',
  'update_protocol',
  'del_protocol',
  'add_replicas',
  'update_replicas_states',
  'delete_replicas',
  'skip_availability_check',
  'declare_bad_file_replicas',
  'add_bad_pfns',
  'quarantine_file_replicas',
  'set_tombstone',
  'dump_replicas',
  'add_account',
  'del_account',
  'update_account',
  'add_attribute',
  'del_attribute',
  'add_account_identity',
  'del_account_identity',
  'set_password',
  'set_local_account_limit',
  'delete_local_account_limit',
  'set_global_account_limit',
  'delete_global_account_limit',
  'get_local_account_usage',
  'get_global_account_usage',
  'import',
  'export',
  'add_subscription',
  'update_subscription',
  'update_lifetime_exceptions',
  'list_heartbeats',
  'send_heartbeats',
  'list_requests',
  'list_requests_history',
  'get_request_history_by_did',
  'lease_requests',
  'report_requests',
  'get_request_metrics',
  'list_transfer_limits',
  'set_transfer_limit',
  'delete_transfer_limit',
  'get_signed_url',
  'add_opendata',
  'update_opendata',
  'remove_opendata',
  'add_rule',
  'del_rule',
  'update_rule',
  'approve_rule',
  'reduce_rule',
  'move_rule',
  'config_sections',
  'config_has_section',
  'config_has_option',
  'config_get',
  'config_set',
] as const;
export type ActionName = (typeof actionNames)[number];

/** Actions of which the RSEs are known before they are done. */
export const actionsAtRses: ReadonlySet<ActionName> = new Set<ActionName>([
  'add_replicas',
  'update_replicas_states',
  'declare_bad_file_replicas',
  'set_rse_usage',
  'set_rse_limits',
  'set_local_account_limit',
  'delete_local_account_limit',
  'set_global_account_limit',
  'delete_global_account_limit',
  'add_rule',
  'del_rule',
  'update_rule',
  'approve_rule',
]);

/** A role of accounts: attributes such as `country-ch` = `admin`. */
export interface Role {
  /** The beginning of the attribute's name. */
  readonly prefix: string;
  /** The values that give the role. */
  readonly values: readonly string[];
}

/** A role of accounts at RSEs: the name of the account's attribute ends with the value of an attribute of the RSE. */
export interface RoleAtRse extends Role {
  /** The attribute of the RSE. */
  readonly attribute: string;
  /** The values of the RSE's attribute `type`; absent: any. */
  readonly types?: readonly string[];
  /** Whether all RSEs must be such, and there must be one; otherwise one suffices. */
  readonly every?: true;
}

/** An attribute of RSEs. */
export interface RseAttribute {
  readonly attribute: string;
  /** Whether all RSEs must have it so; otherwise one suffices. */
  readonly every?: true;
}

/** A test of the account that asks, and of what it asks for. */
export type Test =
  | 'anyone'
  | 'root'
  /** The changed object is of the account itself. */
  | 'own account'
  /** The changed object is of another account than root. */
  | 'not of root'
  /** The present password was given. */
  | 'own password'
  /** The rules that come with new DIDs are for the account itself, and not locked. */
  | 'own rules'
  /** The rule is not locked. */
  | 'unlocked'
  /** The rule is neither given to another account nor locked. */
  | 'plain change'
  /** The states of replicas are results of transfers. */
  | 'results of transfers'
  /** The new rule waits for approval. */
  | 'asks approval'
  /** The account has a limit on the RSE. */
  | 'quota'
  /** The account has an attribute whose value is true. */
  | { readonly has: string }
  /** Each scope belongs to the account, or is one of these. */
  | { readonly owns: readonly string[] }
  /** The account has a role. */
  | { readonly role: Role }
  /** The account has a role at the RSEs. */
  | { readonly roleAt: RoleAtRse }
  /** An attribute of the RSEs names the account, between commas. */
  | { readonly listedIn: RseAttribute }
  /** The name of the RSE matches a regular expression. */
  | { readonly rse: string }
  /** An attribute of the RSE has one of these values. */
  | { readonly rseIs: RseAttribute & { readonly values: readonly string[] } }
  /** The change of a rule names none of these options. */
  | { readonly keeps: readonly string[] }
  /** The change of a rule names no other options than these. */
  | { readonly changesOnly: readonly string[] }
  /**
   * The files of which replicas are registered: none is new, the account owns the scopes of all, or of the new ones, or it answers for
   * those that exist, as it owns their scopes or has registered them.
   */
  | { readonly files: 'none new' | 'owned' | 'new owned' | 'known answered' };

/** A right: a test, or a combination of them. */
export type Right =
  | Test
  | { readonly any: readonly Right[] }
  | { readonly all: readonly Right[] }
  | { readonly not: Right };

/** The rights of actions. */
export type Rights = Readonly<Partial<Record<ActionName, Right>>>;

/** The right of actions that a policy does not name, as in Rucio. */
export const usualRight = { any: ['root', { has: 'admin' }] } as const satisfies Right;

/** The usual right, or something else. */
export const adminOr = (...others: readonly Right[]): Right => ({ any: [...usualRight.any, ...others] });
