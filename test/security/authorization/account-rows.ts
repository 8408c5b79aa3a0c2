import { plain, type Row, type Rows, type Who } from './row.ts';

const setLimit = (who: Who, path: (account: string, rse: string) => string): Row => ({
  who,
  attempt: async ({ owner, newRseOfCountry }) => {
    const rse = await newRseOfCountry();
    return { path: path(owner, rse), body: { bytes: 1_000 }, look: `/accounts/${owner}/limits/local/${rse}` };
  },
});

const endLimit = (kind: 'local' | 'global', path: (account: string, rse: string) => string): Row => ({
  who: 'country',
  attempt: async ({ owner, newRseOfCountry, as }) => {
    const rse = await newRseOfCountry();
    const limit = `/accounts/${owner}/limits/${kind}/${rse}`;
    await as('post', limit, { bytes: 1_000 });
    return { path: path(owner, rse), look: limit };
  },
});

/** Whom an identity may act for. Unlike the identities of an account, no row of another group changes it meanwhile. */
const accountsOf = (identity: string, type: string) =>
  `/identities/accounts?identity_key=${encodeURIComponent(identity)}&type=${type}`;

/** Nobody raises their own limits or rights: in these rows the owner is the account that is changed. */
export const accountRows: Rows = {
  listAccounts: plain('any', () => '/accounts'),
  whoAmI: plain('any', () => '/accounts/whoami', { status: 303 }),
  listOwnRights: plain('any', ({ scope, rse }) => `/accounts/whoami/rights?scope=${scope}&rse=${rse}`),
  getAccount: plain('any', ({ owner }) => `/accounts/${owner}`),
  addAccount: {
    who: 'root',
    attempt: ({ name }) => {
      const path = `/accounts/${name()}`;
      return { path, body: { type: 'USER', email: '' }, look: path };
    },
  },
  updateAccount: {
    who: 'admin',
    attempt: ({ owner, name }) => ({
      path: `/accounts/${owner}`,
      body: { email: `${name()}@example.org` },
      look: `/accounts/${owner}`,
    }),
  },
  deleteAccount: {
    who: 'root',
    attempt: async ({ account }) => {
      const path = `/accounts/${await account()}`;
      return { path, look: path };
    },
  },
  listAttributes: plain('any', ({ owner }) => `/accounts/${owner}/attr`),
  addAttribute: {
    who: 'admin',
    attempt: ({ owner, name }) => ({
      path: `/accounts/${owner}/attr/${name()}`,
      body: { value: 'true' },
      look: `/accounts/${owner}/attr`,
    }),
  },
  deleteAttribute: {
    who: 'admin',
    attempt: async ({ owner, name, as }) => {
      const path = `/accounts/${owner}/attr/${name()}`;
      await as('post', path, { value: 'x' });
      return { path, look: `/accounts/${owner}/attr` };
    },
  },
  listAccountScopes: plain('any', ({ owner }) => `/accounts/${owner}/scopes`),
  addAccountScope: { who: 'admin', attempt: ({ owner, name }) => ({ path: `/accounts/${owner}/scopes/${name()}` }) },
  listIdentities: plain('any', ({ owner }) => `/accounts/${owner}/identities`),
  addAccountIdentity: {
    who: 'admin',
    attempt: ({ owner, name }) => {
      const identity = `/CN=${name()}`;
      const body = { identity, authtype: 'X509', email: '' };
      return { path: `/accounts/${owner}/identities`, body, look: accountsOf(identity, 'x509') };
    },
  },
  deleteAccountIdentity: {
    who: 'admin',
    attempt: async ({ owner, name, as }) => {
      const path = `/accounts/${owner}/identities`;
      const identity = { identity: `/CN=${name()}`, authtype: 'X509' };
      await as('post', path, { ...identity, email: '' });
      return { path, body: identity, look: accountsOf(identity.identity, 'x509') };
    },
  },
  listRulesOfAccount: plain('any', ({ owner }) => `/accounts/${owner}/rules`),
  listLocalLimits: plain('any', ({ owner }) => `/accounts/${owner}/limits/local`),
  listLimits: plain('any', ({ owner }) => `/accounts/${owner}/limits`),
  getLocalLimit: plain('any', ({ owner, rse }) => `/accounts/${owner}/limits/local/${rse}`),
  getLimit: plain('any', ({ owner, rse }) => `/accounts/${owner}/limits/${rse}`),
  setLocalLimit: setLimit('country', (account, rse) => `/accounts/${account}/limits/local/${rse}`),
  deleteLocalLimit: endLimit('local', (account, rse) => `/accounts/${account}/limits/local/${rse}`),
  listGlobalLimits: plain('any', ({ owner }) => `/accounts/${owner}/limits/global`),
  getGlobalLimit: plain('any', ({ owner, rse }) => `/accounts/${owner}/limits/global/${rse}`),
  setGlobalLimit: setLimit('country', (account, rse) => `/accounts/${account}/limits/global/${rse}`),
  deleteGlobalLimit: endLimit('global', (account, rse) => `/accounts/${account}/limits/global/${rse}`),
  listLocalUsage: plain('owner or country', ({ owner }) => `/accounts/${owner}/usage/local`),
  listUsage: plain('owner or country', ({ owner }) => `/accounts/${owner}/usage`),
  getLocalUsage: plain('owner or country', ({ owner, rse }) => `/accounts/${owner}/usage/local/${rse}`),
  getUsage: plain('owner or country', ({ owner, rse }) => `/accounts/${owner}/usage/${rse}`),
  listGlobalUsage: plain('owner or country', ({ owner }) => `/accounts/${owner}/usage/global`),
  getGlobalUsage: plain('owner or country', ({ owner, rse }) => `/accounts/${owner}/usage/global/${rse}`),
  getUsageHistory: plain('any', ({ owner, rse }) => `/accounts/${owner}/usage/history/${rse}`),
  setLegacyLocalLimit: setLimit('country', (account, rse) => `/accountlimits/local/${account}/${rse}`),
  deleteLegacyLocalLimit: endLimit('local', (account, rse) => `/accountlimits/local/${account}/${rse}`),
  setLegacyLimit: setLimit('country', (account, rse) => `/accountlimits/${account}/${rse}`),
  deleteLegacyLimit: endLimit('local', (account, rse) => `/accountlimits/${account}/${rse}`),
  setLegacyGlobalLimit: setLimit('country', (account, rse) => `/accountlimits/global/${account}/${rse}`),
  deleteLegacyGlobalLimit: endLimit('global', (account, rse) => `/accountlimits/global/${account}/${rse}`),

  addUserPass: {
    who: 'admin',
    attempt: ({ owner, name }) => {
      const user = name();
      return {
        path: `/identities/${owner}/userpass`,
        headers: { 'X-Rucio-Username': user, 'X-Rucio-Password': 'a password', 'X-Rucio-Email': 'a@example.org' },
        look: accountsOf(user, 'userpass'),
      };
    },
  },
  // Without mutual TLS there is no certificate that could be added.
  addX509: plain('any', ({ owner }) => `/identities/${owner}/x509`, { status: 400 }),
  addGss: plain('any', ({ owner }) => `/identities/${owner}/gss`, { status: 400 }),
  listAccountsOfIdentity: plain('any', ({ owner }) => `/identities/accounts?identity_key=${owner}&type=userpass`),
  listAccountsOfIdentityByPath: plain('any', ({ owner }) => `/identities/${owner}/userpass/accounts`),

  addScope: { who: 'admin', attempt: ({ owner, name }) => ({ path: `/scopes/${owner}/${name()}` }) },
  listScopes: plain('any', () => '/scopes'),
  listScopeOwners: plain('any', () => '/scopes/owner'),
  listScopesOfAccount: plain('any', ({ owner }) => `/scopes/${owner}/scopes`),
  updateScope: {
    who: 'owner',
    attempt: async ({ owner, other, name, as }) => {
      const scope = name();
      await as('post', `/scopes/${owner}/${scope}`);
      return { path: `/scopes/${other}/${scope}`, look: `/scopes/${other}/scopes` };
    },
  },
};
