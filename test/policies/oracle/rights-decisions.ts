import type { ActionName } from '../../../lib/policy/rights.ts';

/** An account that asks for something. */
export interface Case {
  readonly action: ActionName;
  readonly account: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly scope: string;
  /** Whose the rule or the account is that is changed. */
  readonly owner: string;
  /** The type of the owner. */
  readonly ownerType: 'USER' | 'SERVICE';
  readonly rse: string;
  readonly rseAttributes: Readonly<Record<string, string>>;
  readonly options: readonly string[];
  readonly locked: boolean;
  readonly asksApproval: boolean;
}

interface Decision {
  readonly why: string;
  readonly allows: boolean;
  readonly actions: readonly ActionName[];
  readonly policies?: readonly string[];
  readonly when?: (asked: Case) => boolean;
}

const isOwner = ({ account, owner }: Case) => account === owner;
const isAdmin = ({ attributes }: Case) => attributes['admin'] === 'true';
const isPrivileged = (asked: Case) => asked.account === 'root' || isAdmin(asked);
const ownsScope = ({ account, scope }: Case) => scope === `${account}.data`;
const hasLifetime = ({ options }: Case) => options.includes('lifetime');

/** Where Dapple decides otherwise than the originals on purpose. */
const decisions: readonly Decision[] = [
  {
    why: 'only root changes root',
    allows: false,
    actions: [
      'update_account',
      'add_attribute',
      'del_attribute',
      'add_account_identity',
      'del_account_identity',
      'del_account',
    ],
    when: ({ owner }) => owner === 'root',
  },
  {
    why: 'the owner of a rule deletes, moves, reduces and changes it',
    allows: true,
    actions: ['del_rule', 'move_rule', 'reduce_rule', 'update_rule'],
    when: isOwner,
  },
  {
    why: 'who answers for a file, and movers, say that transfers have ended',
    allows: true,
    actions: ['update_replicas_states'],
    when: (asked) => ownsScope(asked) || asked.attributes['mover'] === 'true',
  },
  {
    why: 'the name or type of an RSE lets nobody speak of files of others',
    allows: false,
    actions: ['update_replicas_states'],
    policies: ['atlas'],
  },
  { why: 'root and admins delete replicas', allows: true, actions: ['delete_replicas'], when: isPrivileged },
  {
    why: 'the owner of a scope has the rights of later versions of Rucio',
    allows: true,
    actions: ['update_scope', 'set_metadata_bulk', 'add_opendata', 'update_opendata', 'remove_opendata'],
    when: (asked) => ownsScope(asked) || isPrivileged(asked),
  },
  {
    why: 'an account ends what it follows itself, and nobody for others in the scope mock',
    allows: false,
    actions: ['remove_did_from_followed'],
    when: ({ scope }) => scope === 'mock',
  },
  {
    why: 'nobody locks rules, or gives them away, without the right to',
    allows: false,
    actions: ['update_rule'],
    policies: ['belleii', 'cms'],
    when: ({ options, locked }) => locked || options.includes('account'),
  },
  {
    why: 'admins may what the package does not know',
    allows: true,
    actions: [
      'delete_rse_limits',
      'add_distance',
      'update_distance',
      'delete_distance',
      'quarantine_file_replicas',
      'set_tombstone',
      'add_opendata',
      'del_rule',
    ],
    policies: ['atlas'],
    when: isAdmin,
  },
  {
    why: 'administrators of a country ask an admin to move rules of others',
    allows: false,
    actions: ['move_rule'],
    policies: ['atlas'],
    when: (asked) => asked.attributes['country-ch'] === 'admin' && !isOwner(asked),
  },
  {
    why: 'who approves is named by every RSE',
    allows: false,
    actions: ['approve_rule'],
    policies: ['cms'],
    when: ({ rseAttributes }) => !Object.hasOwn(rseAttributes, 'rule_approvers'),
  },
  {
    why: 'nobody locks rules without the right to',
    allows: false,
    actions: ['add_rule'],
    policies: ['belleii'],
    when: ({ locked }) => locked,
  },
  {
    why: 'admins look after lifetimes of rules of users',
    allows: true,
    actions: ['add_rule'],
    policies: ['cms'],
    when: (asked) => asked.ownerType === 'USER' && !hasLifetime(asked),
  },
  {
    why: 'admins look after lifetimes of rules on tape',
    allows: true,
    actions: ['add_rule'],
    policies: ['cms'],
    when: (asked) => asked.rse.endsWith('_Tape') && hasLifetime(asked),
  },
  {
    why: 'a rule on a temporary RSE uses up the quota of nobody else',
    allows: false,
    actions: ['add_rule'],
    policies: ['cms'],
    when: (asked) => asked.rseAttributes['cms_type'] === 'temp' && hasLifetime(asked) && !isOwner(asked),
  },
  {
    why: 'root makes samples; the original compares it with a text, so that nobody can',
    allows: true,
    actions: ['create_did_sample'],
    policies: ['cms'],
    when: ({ account }) => account === 'root',
  },
  {
    why: 'an administrator names what is in a scope of others',
    allows: true,
    actions: ['add_did'],
    policies: ['cms'],
  },
];

/** Why Dapple allows or refuses what the original does not; undefined: by mistake. */
export function decisionOn(policy: string, asked: Case, allowed: boolean): string | undefined {
  return decisions.find(
    ({ allows, actions, policies, when }) =>
      allows === allowed &&
      actions.includes(asked.action) &&
      (policies?.includes(policy) ?? true) &&
      (when?.(asked) ?? true),
  )?.why;
}
