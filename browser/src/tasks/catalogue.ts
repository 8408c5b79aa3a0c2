import type { ActionName } from '../../../lib/policy/rights.ts';

/** A task of the page, known without its form. */
export interface TaskEntry {
  /** The title of its form. */
  readonly label: string;
  /** The words of its link on the page of what it acts on; absent: the title. */
  readonly short?: string;
  /** The module that has its form. */
  readonly group: TaskGroup;
  /** The action that it needs the right for. */
  readonly right: ActionName;
  /** It destroys something. */
  readonly isDanger?: true;
}

/** The groups of tasks, with their headings. */
export const taskGroups = {
  dids: 'Data',
  rules: 'Rules',
  subscriptions: 'Subscriptions',
  replicas: 'Lost and damaged files',
  accounts: 'Accounts and scopes',
  quotas: 'Quotas',
  rses: 'Storage',
  configuration: 'Configuration',
} as const;
export type TaskGroup = keyof typeof taskGroups;

/** All tasks, by their ids, which are in addresses: `#/do/<id>`. */
export const taskEntries = {
  'make-collection': { label: 'Make a dataset or container', group: 'dids', right: 'add_did' },
  attach: { label: 'Attach to a dataset or container', short: 'Attach', group: 'dids', right: 'attach_dids' },
  detach: { label: 'Detach from a dataset or container', short: 'Detach', group: 'dids', right: 'detach_dids' },
  close: { label: 'Close a dataset or container', short: 'Close', group: 'dids', right: 'set_status' },
  reopen: { label: 'Open a dataset or container again', short: 'Open again', group: 'dids', right: 'set_status' },
  'set-metadata': { label: 'Set metadata', group: 'dids', right: 'set_metadata' },
  'delete-did': { label: 'Delete a DID', short: 'Delete', group: 'dids', right: 'set_metadata', isDanger: true },
  'add-account': { label: 'Make an account', group: 'accounts', right: 'add_account' },
  'edit-account': {
    label: 'Change or suspend an account',
    short: 'Change',
    group: 'accounts',
    right: 'update_account',
  },
  'delete-account': {
    label: 'Delete an account',
    short: 'Delete',
    group: 'accounts',
    right: 'del_account',
    isDanger: true,
  },
  'add-identity': { label: 'Add an identity', group: 'accounts', right: 'add_account_identity' },
  'remove-identity': { label: 'Remove an identity', group: 'accounts', right: 'del_account_identity' },
  'set-password': { label: 'Set a password', group: 'accounts', right: 'add_account_identity' },
  'set-account-attribute': {
    label: 'Set an attribute of an account',
    short: 'Set an attribute',
    group: 'accounts',
    right: 'add_attribute',
  },
  'remove-account-attribute': {
    label: 'Remove an attribute of an account',
    short: 'Remove an attribute',
    group: 'accounts',
    right: 'del_attribute',
  },
  'add-scope': { label: 'Make a scope', group: 'accounts', right: 'add_scope' },
  'give-scope': { label: 'Give a scope to another account', group: 'accounts', right: 'update_scope' },
  'set-quota': { label: 'Set a quota on an RSE', group: 'quotas', right: 'set_local_account_limit' },
  'remove-quota': { label: 'Remove a quota on an RSE', group: 'quotas', right: 'delete_local_account_limit' },
  'set-global-quota': { label: 'Set a quota on several RSEs', group: 'quotas', right: 'set_global_account_limit' },
  'remove-global-quota': {
    label: 'Remove a quota on several RSEs',
    group: 'quotas',
    right: 'delete_global_account_limit',
  },
  'move-rule': { label: 'Move a rule', short: 'Move', group: 'rules', right: 'move_rule' },
  'reduce-rule': { label: 'Reduce the copies of a rule', short: 'Reduce', group: 'rules', right: 'reduce_rule' },
  'change-rule': { label: 'Change a rule', short: 'Change more', group: 'rules', right: 'update_rule' },
  'repair-rules': { label: 'Repair stuck rules', group: 'rules', right: 'update_rule' },
  'declare-bad': { label: 'Declare replicas bad', group: 'replicas', right: 'declare_bad_file_replicas' },
  'declare-unavailable': { label: 'Declare replicas unavailable for a time', group: 'replicas', right: 'add_bad_pfns' },
  'recover-replicas': { label: 'Declare replicas available again', group: 'replicas', right: 'update_replicas_states' },
  'add-replicas': { label: 'Register files that are on a storage', group: 'replicas', right: 'add_replicas' },
  'delete-replicas': { label: 'Have replicas deleted', group: 'replicas', right: 'set_tombstone', isDanger: true },
  'add-rse': { label: 'Make an RSE', group: 'rses', right: 'add_rse' },
  'edit-rse': {
    label: 'Allow or forbid an RSE to be used',
    short: 'Allow or forbid',
    group: 'rses',
    right: 'update_rse',
  },
  'add-protocol': { label: 'Add a protocol to an RSE', short: 'Add a protocol', group: 'rses', right: 'add_protocol' },
  'remove-protocol': {
    label: 'Remove a protocol of an RSE',
    short: 'Remove a protocol',
    group: 'rses',
    right: 'del_protocol',
  },
  'set-rse-attribute': {
    label: 'Set an attribute of an RSE',
    short: 'Set an attribute',
    group: 'rses',
    right: 'add_rse_attribute',
  },
  'remove-rse-attribute': {
    label: 'Remove an attribute of an RSE',
    short: 'Remove an attribute',
    group: 'rses',
    right: 'del_rse_attribute',
  },
  'set-rse-limit': { label: 'Set a limit of an RSE', short: 'Set a limit', group: 'rses', right: 'set_rse_limits' },
  'set-distance': {
    label: 'Set the distance between two RSEs',
    short: 'Set a distance',
    group: 'rses',
    right: 'add_distance',
  },
  'delete-rse': { label: 'Delete an RSE', short: 'Delete', group: 'rses', right: 'del_rse', isDanger: true },
  'add-subscription': { label: 'Make a subscription', group: 'subscriptions', right: 'add_subscription' },
  'stop-subscription': {
    label: 'Stop a subscription',
    short: 'Stop',
    group: 'subscriptions',
    right: 'update_subscription',
  },
  'start-subscription': {
    label: 'Start a subscription again',
    short: 'Start again',
    group: 'subscriptions',
    right: 'update_subscription',
  },
  'set-option': { label: 'Set an option', group: 'configuration', right: 'config_set' },
  'unset-option': { label: 'Delete an option', group: 'configuration', right: 'config_has_option' },
} as const satisfies Readonly<Record<string, TaskEntry>>;
export type TaskId = keyof typeof taskEntries;

/** Whether a text is the id of a task. */
export function isTaskId(text: string): text is TaskId {
  return Object.hasOwn(taskEntries, text);
}
