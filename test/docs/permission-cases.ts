/** For permissions that depend on more than the account: the cases to ask them about. */
import type { Action, Targets } from '../../lib/domain/permission/permission-targets.ts';
import type { Subject } from '../../lib/domain/permission/subject.ts';

/** A request of an ordinary account; the text ends the sentence `an ordinary account may ...`. */
interface Case<T> {
  readonly when: string;
  readonly target: T;
  /** Other facts about the account. */
  readonly facts?: Partial<Subject>;
}

/** The account that asks, and its only scope. */
export const asker = { account: 'alice', scope: 'alice.data' };

const own = asker.scope;
const foreign = 'bob.data';
const countryAdmin = { rolesOf: () => Promise.resolve(['ch']) };
const inCountry = () => Promise.resolve([{ rse: 'SITE_DISK', attributes: { country: 'ch' } }]);
const newRule = { asksApproval: false, rses: inCountry };
const change = { options: [], rses: inCountry };
const none = { ruleAccounts: [], locksRules: false };

/** Three scopes: of the account, `mock`, of another account. */
const inScopes = <T>(toTarget: (scope: string) => T): Case<T>[] => [
  { when: 'in a scope of its own', target: toTarget(own) },
  { when: 'in the scope `mock`', target: toTarget('mock') },
  { when: 'in scopes of others', target: toTarget(foreign) },
];
const atCountry = <T>(target: T): Case<T>[] => [
  { when: 'on RSEs of its country', target, facts: countryAdmin },
  { when: 'on any RSE', target },
];
const ofAccounts = <T>(toTarget: (account: string) => T): Case<T>[] => [
  { when: 'its own', target: toTarget(asker.account) },
  { when: 'those of others', target: toTarget('bob') },
];
const ofAccountsOfAdmins = <T>(toTarget: (account: string) => T): Case<T>[] => [
  { when: 'of `root`', target: toTarget('root') },
  { when: 'of all accounts but `root`', target: toTarget('bob') },
];
const usage = [
  ...ofAccounts((account) => ({ account })),
  { when: 'those of others, if it administers a country', target: { account: 'bob' }, facts: countryAdmin },
];
const asMover = [
  {
    when: 'with the attribute `mover`',
    target: undefined,
    facts: { has: (attribute: string) => Promise.resolve(attribute === 'mover') },
  },
  { when: 'without it', target: undefined },
];
const replicas = {
  rseName: 'SITE_DISK',
  rses: inCountry,
  files: () => Promise.resolve([{ scope: own, account: undefined }]),
};
const byMover = { has: (attribute: string) => Promise.resolve(attribute === 'mover') };
const hasNone = { rses: inCountry, hasLimit: () => Promise.resolve(false) };
const states = { rses: inCountry, rseName: 'SITE_DISK', isOrdinary: true };
const openRses = ['SCRATCHDISK', 'USERDISK', 'MOCK', 'LOCALGROUPDISK'];

const ofAnyAccount = ofAccountsOfAdmins((account) => ({ account }));

/** The cases of each permission that looks at its target; the others need none. */
export const cases: { readonly [A in Action]?: readonly Case<Targets[A]>[] } = {
  add_did: [
    ...inScopes((scope) => ({ scope, ...none })),
    { when: 'with rules for other accounts', target: { scope: own, ruleAccounts: ['bob'], locksRules: false } },
    { when: 'with locked rules', target: { scope: own, ruleAccounts: [], locksRules: true } },
  ],
  add_dids: [
    ...inScopes((scope) => ({ scopes: [scope], ...none })),
    { when: 'with rules for other accounts', target: { scopes: [own], ruleAccounts: ['bob'], locksRules: false } },
    { when: 'with locked rules', target: { scopes: [own], ruleAccounts: [], locksRules: true } },
  ],
  attach_dids: inScopes((scope) => ({ scope, name: 'n' })),
  detach_dids: inScopes((scope) => ({ scope, name: 'n' })),
  attach_dids_to_dids: inScopes((scope) => ({ scopes: [scope] })),
  create_did_sample: inScopes((scope) => ({ scope })),
  set_status: inScopes((scope) => ({ scope, name: 'n' })),
  set_metadata: inScopes((scope) => ({ scope, name: 'n' })),
  set_metadata_bulk: inScopes((scope) => ({ scope, name: 'n' })),
  update_scope: inScopes((scope) => ({ scope })),
  remove_did_from_followed: ofAccounts((account) => ({ account })),
  add_replicas: [
    {
      when: 'for files in scopes of its own, with a quota on the RSE',
      target: { ...replicas, hasLimit: () => Promise.resolve(true) },
    },
    {
      when: 'for files in scopes of its own, without a quota',
      target: { ...replicas, hasLimit: () => Promise.resolve(false) },
    },
    ...openRses.map((end) => ({
      when: `for new files on RSEs with a name that ends in \`${end}\``,
      target: {
        rseName: `SITE_${end}`,
        files: () => Promise.resolve([{ scope: foreign, account: undefined }]),
        ...hasNone,
      },
    })),
    {
      when: 'there for files that it has registered',
      target: {
        rseName: 'SITE_MOCK',
        files: () => Promise.resolve([{ scope: foreign, account: asker.account }]),
        ...hasNone,
      },
    },
    {
      when: 'there for files of others',
      target: { rseName: 'SITE_MOCK', files: () => Promise.resolve([{ scope: foreign, account: 'bob' }]), ...hasNone },
    },
    {
      when: 'for files that exist, with the attribute `mover`',
      target: { rseName: 'SITE_DISK', files: () => Promise.resolve([{ scope: foreign, account: 'bob' }]), ...hasNone },
      facts: byMover,
    },
  ],
  update_replicas_states: [
    {
      when: 'to A, U, C for files in scopes of its own',
      target: { ...states, files: () => Promise.resolve([{ scope: own, account: 'bob' }]) },
    },
    {
      when: 'to A, U, C for files that it has registered',
      target: { ...states, files: () => Promise.resolve([{ scope: foreign, account: asker.account }]) },
    },
    {
      when: 'to A, U, C for all files, with the attribute `mover`',
      target: { ...states, files: () => Promise.resolve([{ scope: foreign, account: 'bob' }]) },
      facts: byMover,
    },
    {
      when: 'to other states',
      target: {
        ...states,
        isOrdinary: false,
        files: () => Promise.resolve([{ scope: own, account: asker.account }]),
      },
    },
    {
      when: 'for any replica',
      target: { ...states, files: () => Promise.resolve([{ scope: foreign, account: 'bob' }]) },
    },
  ],
  update_account: ofAccountsOfAdmins((account) => ({ account, key: 'status' })),
  del_account: ofAnyAccount,
  add_attribute: ofAnyAccount,
  del_attribute: ofAnyAccount,
  add_account_identity: ofAnyAccount,
  del_account_identity: ofAnyAccount,
  set_password: [
    ...ofAccountsOfAdmins((account) => ({ accounts: [account], isOwn: false })),
    { when: 'of the username of the log-in, with the present password', target: { accounts: ['root'], isOwn: true } },
  ],
  import: ofAccountsOfAdmins((account) => ({ accounts: [account] })),
  set_local_account_limit: atCountry({ rses: inCountry }),
  delete_local_account_limit: atCountry({ rses: inCountry }),
  set_global_account_limit: atCountry({ rses: inCountry }),
  delete_global_account_limit: atCountry({ rses: inCountry }),
  get_local_account_usage: usage,
  get_global_account_usage: usage,
  lease_requests: asMover,
  report_requests: asMover,
  get_signed_url: [
    {
      when: 'with the attribute `sign-url`',
      target: undefined,
      facts: { has: (attribute: string) => Promise.resolve(attribute === 'sign-url') },
    },
    { when: 'without it', target: undefined },
  ],
  add_opendata: inScopes((scope) => ({ scope, name: 'n' })),
  update_opendata: inScopes((scope) => ({ scope, name: 'n' })),
  remove_opendata: inScopes((scope) => ({ scope, name: 'n' })),
  add_rule: [
    { when: 'for itself', target: { account: asker.account, locked: false, ...newRule } },
    { when: 'locked ones', target: { account: asker.account, locked: true, ...newRule } },
    { when: 'for other accounts', target: { account: 'bob', locked: false, ...newRule } },
  ],
  del_rule: ofAccounts((account) => ({ account, rses: inCountry })),
  reduce_rule: ofAccounts((account) => ({ account })),
  move_rule: ofAccounts((account) => ({ account })),
  update_rule: [
    ...ofAccounts((account) => ({ account, isPrivileged: false, ...change })),
    {
      when: 'give its own to another account, or lock it',
      target: { account: asker.account, isPrivileged: true, ...change },
    },
  ],
};
