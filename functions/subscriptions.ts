import { subscriptions } from '../lib/contract/subscriptions.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addSubscription } from '../lib/operations/subscriptions/add-subscription.ts';
import { countRules, countRulesShort } from '../lib/operations/subscriptions/count-rules.ts';
import { listSubscriptionFailures } from '../lib/operations/subscriptions/list-failures.ts';
import { listSubscriptionMatches } from '../lib/operations/subscriptions/list-matches.ts';
import { listSubscriptionRules } from '../lib/operations/subscriptions/list-rules.ts';
import { getSubscriptionRecord, listSubscriptionRecords } from '../lib/operations/subscriptions/list-subscriptions.ts';
import { updateSubscription } from '../lib/operations/subscriptions/update-subscription.ts';

export const handler = createHandler(subscriptions, {
  listSubscriptions: (context, { page }) => listSubscriptionRecords(context, {}, page),
  listSubscriptionsOf: (context, { params, page }) => listSubscriptionRecords(context, params, page),
  getSubscription: (context, { params, page }) => listSubscriptionRecords(context, params, page),
  addSubscription: {
    run: (context, { params, body }) => addSubscription(context, params, body.options),
    present: (id) => ({ status: 201, body: String(id) }),
  },
  updateSubscription: (context, { params, body }) => updateSubscription(context, params, body.options),

  listSubscriptionFailures: (context, { params, page }) => listSubscriptionFailures(context, params, page),
  listSubscriptionMatches: (context, { params, page }) => listSubscriptionMatches(context, params, page),

  getSubscriptionById: (context, { params }) => getSubscriptionRecord(context, params.subscription_id),
  getSubscriptionByLowerCaseId: (context, { params }) => getSubscriptionRecord(context, params.subscription_id),
  listSubscriptionsNamed: (context, { params, page }) => listSubscriptionRecords(context, params, page),
  listSubscriptionsNamedLowerCase: (context, { params, page }) => listSubscriptionRecords(context, params, page),
  listSubscriptionRules: (context, { params, query, page }) =>
    listSubscriptionRules(context, params, query.state, page),
  listSubscriptionRulesLowerCase: (context, { params, query, page }) =>
    listSubscriptionRules(context, params, query.state, page),
  countSubscriptionRules: (context, { params, query, page }) =>
    countRules(context, params, query.include_details, page),
  countSubscriptionRulesLowerCase: (context, { params, query, page }) =>
    countRulesShort(context, params, query.include_details, page),
  countAccountSubscriptionRules: (context, { params, query, page }) =>
    countRules(context, params, query.include_details, page),
  countAccountSubscriptionRulesLowerCase: (context, { params, query, page }) =>
    countRulesShort(context, params, query.include_details, page),
});
