import { group, type Route } from './route.ts';
import { rule } from './schemas/rule.ts';
import { newSubscription, subscriptionChange } from './schemas/subscription-options.ts';
import {
  ruleQuery,
  shortStateRow,
  stateQuery,
  stateRow,
  subscription,
  subscriptionFailure,
  subscriptionMatch,
} from './schemas/subscription.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';
const notFound = { SubscriptionNotFound: 404 } as const;

const list = {
  method: 'GET',
  permission: 'any',
  accept: stream,
  pages: true,
  answer: { kind: 'stream', schema: subscription },
  errors: notFound,
} as const satisfies Omit<Route, 'path' | 'summary'>;

const getById = {
  method: 'GET',
  summary: 'A subscription, by its id',
  permission: 'any',
  accept: json,
  answer: { kind: 'json', schema: subscription },
  errors: notFound,
} as const satisfies Omit<Route, 'path'>;

const listNamed = { ...list, summary: 'The subscriptions with a name, of all accounts' } as const;

const listRules = {
  ...list,
  summary: 'The rules of a subscription, in order of creation',
  query: ruleQuery,
  answer: { kind: 'stream', schema: rule },
  errors: { ValueError: 400, ...notFound },
} as const satisfies Omit<Route, 'path'>;

const countRules = {
  method: 'GET',
  summary: 'Number of rules of a subscription by state',
  permission: 'any',
  accept: stream,
  query: stateQuery,
  pages: true,
  answer: { kind: 'stream', schema: stateRow },
} as const satisfies Omit<Route, 'path'>;

const countRulesShort = { ...countRules, answer: { kind: 'stream', schema: shortStateRow } } as const;
const ofAll = 'How many rules of the subscriptions of an account are in each state';

/**
 * Subscriptions (spec/access.md 3). Each literal has the capitals of spec/interface.md 4.5, and the lower case of the
 * official clients. `*` as account stands for any text.
 */
export const subscriptions = group('subscriptions', ['/subscriptions'], {
  listSubscriptions: { ...list, path: '/subscriptions', summary: 'All subscriptions, by account and name' },
  listSubscriptionsOf: { ...list, path: '/subscriptions/:account', summary: 'The subscriptions of an account' },
  getSubscription: {
    ...list,
    resource: 'subscription',
    path: '/subscriptions/:account/:name',
    summary: 'A subscription, by its account and its name',
  },
  addSubscription: {
    method: 'POST',
    path: '/subscriptions/:account/:name',
    summary: 'Create a subscription: rules for new data that matches a filter',
    permission: 'add_subscription',
    body: { schema: newSubscription, json: 'dictionary', name: 'subscription_filter' },
    answer: {
      kind: 'text',
      mediaType: 'text/html; charset=utf-8',
      replies: { 201: { description: 'The id of the subscription: 32 hexadecimal digits without quotes.' } },
    },
    errors: { InvalidObject: 400, AccessDenied: 401, AccountNotFound: 404, SubscriptionDuplicate: 409 },
  },
  updateSubscription: {
    method: 'PUT',
    path: '/subscriptions/:account/:name',
    summary: 'Change and activate a subscription, or deactivate it',
    permission: 'update_subscription',
    resource: 'subscription',
    body: { schema: subscriptionChange, json: 'dictionary', name: 'subscription_filter' },
    answer: { kind: 'created' },
    errors: { InvalidObject: 400, AccessDenied: 401, ...notFound },
  },

  listSubscriptionFailures: {
    ...list,
    path: '/subscriptions/:account/:name/failures',
    summary: 'DIDs for which a subscription failed to create its rules after all retries',
    isExtension: true,
    answer: { kind: 'stream', schema: subscriptionFailure },
  },
  listSubscriptionMatches: {
    ...list,
    path: '/subscriptions/:account/:name/matches',
    summary: 'Rules that a subscription would create now for existing data; creates nothing',
    isExtension: true,
    answer: { kind: 'stream', schema: subscriptionMatch },
  },

  getSubscriptionById: { ...getById, path: '/subscriptions/Id/:subscription_id' },
  getSubscriptionByLowerCaseId: { ...getById, path: '/subscriptions/id/:subscription_id' },
  listSubscriptionsNamed: { ...listNamed, path: '/subscriptions/Name/:name' },
  listSubscriptionsNamedLowerCase: { ...listNamed, path: '/subscriptions/name/:name' },
  listSubscriptionRules: { ...listRules, path: '/subscriptions/:account/:name/Rules' },
  listSubscriptionRulesLowerCase: { ...listRules, path: '/subscriptions/:account/:name/rules' },
  countSubscriptionRules: { ...countRules, path: '/subscriptions/:account/:name/Rules/States' },
  countSubscriptionRulesLowerCase: { ...countRulesShort, path: '/subscriptions/:account/:name/rules/states' },
  countAccountSubscriptionRules: { ...countRules, path: '/subscriptions/:account/Rules/States', summary: ofAll },
  countAccountSubscriptionRulesLowerCase: {
    ...countRulesShort,
    path: '/subscriptions/:account/rules/states',
    summary: ofAll,
  },
});
