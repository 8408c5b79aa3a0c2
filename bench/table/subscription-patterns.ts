import { addSubscription } from '../../lib/operations/subscriptions/add-subscription.ts';
import { countRules } from '../../lib/operations/subscriptions/count-rules.ts';
import {
  getSubscriptionRecord,
  listSubscriptionRecords,
} from '../../lib/operations/subscriptions/list-subscriptions.ts';
import { updateSubscription } from '../../lib/operations/subscriptions/update-subscription.ts';
import type { Bench } from './bench.ts';

const key = { account: 'root', name: 'bench' };
const options = {
  filter: { scope: ['bench'], pattern: 'raw.*', transient: ['False'] },
  replication_rules: [{ copies: 1, rse_expression: 'tier=1', activity: 'T0 Export' }],
  comments: null,
  lifetime: undefined,
  retroactive: false,
  dry_run: false,
  priority: undefined,
};
let id = '';

/** Operations on subscriptions. */
export const subscriptionBenches: readonly Bench[] = [
  {
    what: 'create a subscription',
    run: async (context) => {
      id = await addSubscription(context, key, options);
    },
    budget: { roundTrips: 2, rru: 1, wru: 6 },
  },
  {
    what: 'change a subscription',
    run: (context) => updateSubscription(context, key, { comments: 'changed' }),
    budget: { roundTrips: 1, rru: 0, wru: 1 },
  },
  {
    what: 'get a subscription',
    run: (context) => Array.fromAsync(listSubscriptionRecords(context, key)),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
  },
  {
    what: 'get a subscription by its id',
    run: (context) => getSubscriptionRecord(context, id),
    budget: { roundTrips: 2, rru: 2, wru: 0 },
  },
  {
    what: 'count the rules of a subscription by state',
    run: (context) => Array.fromAsync(countRules(context, key, false)),
    budget: { roundTrips: 1, rru: 1, wru: 0 },
  },
];
