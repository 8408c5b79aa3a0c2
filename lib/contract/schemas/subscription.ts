import * as z from 'zod/mini';

import { date, looseFlag } from './common.ts';
import { rule } from './rule.ts';
import { listNames, RuleState, type RuleStateName } from './states.ts';

const subscriptionState = z.enum(['ACTIVE', 'INACTIVE', 'NEW', 'UPDATED', 'BROKEN']);
/** `NEW` waits for historical data; only `ACTIVE` and `UPDATED` ones match. */
export type SubscriptionState = z.output<typeof subscriptionState>;

/** A subscription as every route shows it (spec/access.md 3.1). */
export const subscription = z.object({
  id: z.string(),
  name: z.string(),
  account: z.string(),
  filter: z.string().check(z.meta({ description: 'JSON of the filter' })),
  replication_rules: z.string().check(z.meta({ description: 'JSON of the rules that it creates' })),
  policyid: z.int().check(z.meta({ description: 'Its priority: the lowest value first' })),
  state: subscriptionState,
  lifetime: z.nullable(date).check(z.meta({ description: 'When it expires' })),
  last_processed: date,
  expired_at: z.nullable(date),
  comments: z.nullable(z.string()),
  retroactive: z.boolean(),
  created_at: date,
  updated_at: date,
});
export type SubscriptionRecord = z.input<typeof subscription>;

/** The number of a subscription's rules in a state; without rules one row without a state. */
const stateCount = z.object({
  account: z.string(),
  name: z.string(),
  state: z.nullable(rule.shape.state),
  count: z.int(),
});

const detailedCount = z.object({
  ...stateCount.shape,
  subscription_state: subscriptionState,
  last_processed: date,
  lifetime: z.nullable(date),
  expired_at: z.nullable(date),
  comments: z.nullable(z.string()),
});

/** A row of the numbers of rules by state, with or without the details of the subscription. */
export const stateRow = z.union([detailedCount, stateCount]);
export type StateRow = z.input<typeof stateRow>;

/** The same row in the form that the official clients read; with details it is an object too. */
export const shortStateRow = z.union([
  detailedCount,
  z.tuple([z.string(), z.string(), z.nullable(rule.shape.state), z.int()]).check(
    z.meta({
      description: 'Account, name, state, count',
    }),
  ),
]);
export type ShortStateRow = z.input<typeof shortStateRow>;

/** A DID for which a subscription failed to create its rules after all retries. */
export const subscriptionFailure = z.object({
  scope: z.string(),
  name: z.string(),
  did_type: z.enum(['DATASET', 'CONTAINER']),
  replication_rules: z
    .nullable(z.array(z.int()))
    .check(z.meta({ description: 'Indexes of its missing rules, from 0; null: all' })),
  exception: z.string(),
  message: z.string(),
  attempts: z.int(),
  failed_at: date,
});
export type SubscriptionFailure = z.input<typeof subscriptionFailure>;

/** Effect that a subscription would have now on a matching DID. */
export const subscriptionMatch = z.object({
  scope: z.string(),
  name: z.string(),
  did_type: z.enum(['DATASET', 'CONTAINER']),
  rules: z
    .array(
      z.object({
        account: z.string(),
        rse_expression: z.string(),
        copies: z.int(),
        activity: z.string(),
        source_replica_expression: z.nullable(z.string()),
        expires_at: z.nullable(date),
      }),
    )
    .check(z.meta({ description: 'The rules that it would create; existing ones are left out' })),
  exception: z.nullable(z.string()).check(z.meta({ description: 'Why it would not create some or all of them' })),
  message: z.nullable(z.string()),
});
export type SubscriptionMatch = z.input<typeof subscriptionMatch>;

/** Query for the numbers of rules by state. */
export const stateQuery = z.object({ include_details: looseFlag('include_details') });

const ruleStatesByText = new Map<string, RuleStateName>(
  listNames(RuleState).flatMap((name) => [
    [RuleState[name], name],
    [name, name],
  ]),
);

/** Query for the rules of a subscription. */
export const ruleQuery = z.object({
  state: z
    .pipe(
      z.optional(z.string()),
      z.transform((text, context): RuleStateName | undefined => {
        if (text === undefined || text === '') return undefined;
        const state = ruleStatesByText.get(text);
        if (state === undefined) {
          const message = `'${text}' is not a valid RuleState`;
          context.issues.push({ code: 'custom', message, params: { exception: 'ValueError' }, input: text });
        }
        return state;
      }),
    )
    .check(z.meta({ type: 'string', enum: [...Object.values(RuleState), ...listNames(RuleState)] })),
});
