import { leastOptions } from '../../support/subscriptions.ts';
import type { Maker } from './maker.ts';
import { plain, type Row, type Rows, type Who } from './row.ts';

/** A request that changes a rule of the owner. */
const change = (who: Who, rest: string, body?: (make: Maker) => object): Row => ({
  who,
  attempt: async (make) => {
    const rule = `/rules/${await make.rule()}`;
    return { path: rule + rest, ...(body === undefined ? {} : { body: body(make) }), look: rule };
  },
});

const read = (rest: string): Row => ({
  who: 'any',
  attempt: async ({ rule }) => ({ path: `/rules/${await rule()}${rest}` }),
});

const newRule = (who: Who, more: (make: Maker) => object): Row => ({
  who,
  attempt: async (make) => {
    const { scope, dataset, rse } = make;
    const name = await dataset();
    const body = { dids: [{ scope, name }], account: null, copies: 1, rse_expression: rse, ...more(make) };
    return { path: '/rules', body, look: `/dids/${scope}/${name}/rules` };
  },
});

/** Rules belong to the account that made them, which may change and delete them (spec/replication.md 6.2). */
export const ruleRows: Rows = {
  addRules: [
    newRule('owner', ({ owner }) => ({ account: owner })),
    newRule('admin', ({ owner }) => ({ account: owner, locked: true })),
    newRule('admin', () => ({ account: 'root' })),
  ],
  listReplicationRules: plain('any', ({ owner }) => `/rules?account=${owner}&limit=1`),
  getRule: read(''),
  updateRule: [
    change('owner', '', () => ({ options: { comment: 'x' } })),
    change('admin', '', () => ({ options: { locked: true } })),
    change('admin', '', () => ({ options: { account: 'root' } })),
  ],
  deleteRule: change('owner', ''),
  listLocksOfRule: read('/locks'),
  analyseRule: read('/analysis'),
  // One copy cannot be reduced: allowed callers get an error.
  reduceRule: { ...change('owner', '/reduce', () => ({ copies: 1 })), status: 409 },
  moveRule: {
    who: 'owner',
    attempt: async ({ rule, newRse, owner, as }) => {
      const [path, rse] = [`/rules/${await rule()}`, await newRse()];
      await as('post', `/accounts/${owner}/limits/local/${rse}`, { bytes: 1_000 });
      return { path: `${path}/move`, body: { rse_expression: rse }, look: path };
    },
  },
  listHistoryOfRule: read('/history'),
  listRuleHistory: {
    who: 'any',
    attempt: async ({ scope, dataset }) => ({ path: `/rules/${scope}/${await dataset()}/history` }),
  },

  listSubscriptions: withSubscription(() => '/subscriptions'),
  listSubscriptionsOf: withSubscription((_name, owner) => `/subscriptions/${owner}`),
  getSubscription: ofSubscription(''),
  // Not even their own account may create or change them.
  addSubscription: {
    who: 'admin',
    attempt: ({ owner, name }) => {
      const path = `/subscriptions/${owner}/${name()}`;
      return { path, body: { options: leastOptions }, look: path };
    },
  },
  updateSubscription: {
    who: 'admin',
    attempt: async ({ owner, subscription }) => {
      const path = `/subscriptions/${owner}/${await subscription()}`;
      return { path, body: { options: { comments: 'x' } }, look: path };
    },
  },
  listSubscriptionFailures: ofSubscription('/failures'),
  listSubscriptionMatches: ofSubscription('/matches'),
  getSubscriptionById: plain('any', () => `/subscriptions/Id/${'0'.repeat(32)}`, { status: 404 }),
  getSubscriptionByLowerCaseId: plain('any', () => `/subscriptions/id/${'0'.repeat(32)}`, { status: 404 }),
  listSubscriptionsNamed: withSubscription((name) => `/subscriptions/Name/${name}`),
  listSubscriptionsNamedLowerCase: withSubscription((name) => `/subscriptions/name/${name}`),
  listSubscriptionRules: ofSubscription('/Rules'),
  listSubscriptionRulesLowerCase: ofSubscription('/rules'),
  countSubscriptionRules: ofSubscription('/Rules/States'),
  countSubscriptionRulesLowerCase: ofSubscription('/rules/states'),
  countAccountSubscriptionRules: plain('any', ({ owner }) => `/subscriptions/${owner}/Rules/States`),
  countAccountSubscriptionRulesLowerCase: plain('any', ({ owner }) => `/subscriptions/${owner}/rules/states`),
};

function ofSubscription(rest: string): Row {
  return withSubscription((name, owner) => `/subscriptions/${owner}/${name}${rest}`);
}

function withSubscription(path: (name: string, owner: string) => string): Row {
  return {
    who: 'any',
    attempt: async ({ owner, subscription }) => ({ path: path(await subscription(), owner) }),
  };
}
