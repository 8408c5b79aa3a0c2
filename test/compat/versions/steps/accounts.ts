/** Log-ins, accounts and scopes. */
import { expect } from 'vitest';

import type { Step } from './step.ts';

const wrong = '--user ddmlab --password wrong';

/** The log-ins of root. */
export const logIns: readonly Step[] = [
  {
    name: 'ping',
    former: 'rucio ping',
    today: 'rucio ping',
    says: [/^\d+\.\d+/m],
    reads: '/ping',
    holds: { version: expect.any(String) },
  },
  {
    name: 'whoami',
    former: 'rucio whoami',
    today: 'rucio whoami',
    says: [/account +: +root/, /status +: +ACTIVE/],
    reads: '/accounts/whoami',
    holds: { account: 'root' },
  },
  {
    name: 'whoami by the token file',
    former: `rucio ${wrong} whoami`,
    today: `rucio ${wrong} whoami`,
    says: [/account +: +root/],
    reads: '/accounts/root',
    holds: { status: 'ACTIVE' },
  },
  {
    name: 'whoami with a wrong password',
    former: `rucio ${wrong} whoami`,
    today: `rucio ${wrong} whoami`,
    isFresh: true,
    exits: 'badly',
    says: [/cannot authenticate/i],
    reads: '/accounts/root',
    holds: { status: 'ACTIVE' },
  },
];

/** Steps with accounts and scopes. */
export const accounts: readonly Step[] = [
  {
    name: 'account add',
    former: 'rucio-admin account add alice --type USER --email alice@example.org',
    today: 'rucio account add alice USER --email alice@example.org',
    says: [/Added new account: (alice|<Group account>)/],
    reads: '/accounts/alice',
    holds: { account: 'alice', account_type: 'USER', email: 'alice@example.org' },
  },
  {
    name: 'account add, known',
    former: 'rucio-admin account add alice --type USER',
    today: 'rucio account add alice USER',
    exits: 'badly',
    says: [/already exists/i],
    reads: '/accounts/alice',
    holds: { account: 'alice', email: 'alice@example.org' },
  },
  {
    name: 'account list',
    former: 'rucio-admin account list',
    today: 'rucio account list',
    says: [/\balice\b/, /\broot\b/],
    reads: '/accounts/',
    holds: { account: 'alice' },
  },
  {
    name: 'account info',
    former: 'rucio-admin account info alice',
    today: 'rucio account show alice',
    says: [/account +: +alice/, /email +: +alice@example.org/],
    reads: '/accounts/alice',
    holds: { account: 'alice' },
  },
  {
    name: 'account attribute add',
    former: 'rucio-admin account add-attribute alice --key team --value blue',
    today: 'rucio account attribute {set} alice --key team --value blue',
    says: [],
    reads: '/accounts/alice/attr/',
    holds: { key: 'team', value: 'blue' },
  },
  {
    name: 'identity add',
    former:
      'rucio-admin identity add --account alice --type USERPASS --id alice --email a@example.org --password wonder1',
    today: 'rucio account identity add alice --type USERPASS --id alice --email a@example.org --password wonder1',
    says: [/Added new identity to account: alice-alice/],
    reads: '/accounts/alice/identities',
    holds: { identity: 'alice', type: 'USERPASS' },
  },
  {
    name: 'whoami of another account',
    former: 'rucio --account alice --user alice --password wonder1 whoami',
    today: 'rucio --account alice --user alice --password wonder1 whoami',
    says: [/account +: +alice/],
    reads: '/accounts/alice',
    holds: { account: 'alice' },
  },
  {
    name: 'scope add',
    former: 'rucio-admin scope add --account root --scope data',
    today: 'rucio scope add -a root data',
    says: [/Added new scope to (account: data-root|root: data)/],
    reads: '/accounts/root/scopes/',
    holds: 'data',
  },
  {
    name: 'scope list',
    former: 'rucio list-scopes',
    today: 'rucio scope list',
    says: [/\bdata\b/],
    reads: '/scopes/',
    holds: 'data',
  },
];
