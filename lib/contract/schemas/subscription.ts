import * as z from 'zod/mini';

import { date, looseFlag } from './common.ts';
import { rule } from './rule.ts';

const subscriptionState = z.enum(['ACTIVE', 'INACTIVE', 'NEW', 'UPDATED', 'BROKEN']);
/** `NEW` waits for data of the past; what is not `ACTIVE` or `UPDATED` matches nothing. */
export type SubscriptionState = z.output<typeof subscriptionState>;

/** A subscription as every route shows it (spec/access.md 3.1). */
export const subscription = z.object({
  id: z.string(),
  name: z.string(),
  account: z.string(),
  filter: z.string().check(z.meta({ description: 'JSON of the filter' })),
  replication_rules: z.string().check(z.meta({ description: 'JSON of the rules that it makes' })),
  policyid: z.int().check(z.meta({ description: 'Its priority: the least first' })),
  state: subscriptionState,
  lifetime: z.nullable(date).check(z.meta({ description: 'When it ends' })),
  last_processed: date,
  expired_at: z.nullable(date),
  comments: z.nullable(z.string()),
  retroactive: z.boolean(),
  created_at: date,
  updated_at: date,
});
export type SubscriptionRecord = z.input<typeof subscription>;

/** The states of rules. */
const ruleState = rule.shape.state;
export type RuleState = z.output<typeof ruleState>;
/** All of them, in the order in which they are counted. */
export const ruleStates: readonly RuleState[] = ruleState.options;

/** How many rules of a subscription are in a state; without rules one row without a state. */
const stateCount = z.object({
  account: z.string(),
  name: z.string(),
  state: z.nullable(ruleState),
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

/** A row of the numbers of rules by state, with or without what the subscription itself is like. */
export const stateRow = z.union([detailedCount, stateCount]);
export type StateRow = z.input<typeof stateRow>;

/** The same as the official clients read it; with details an object all the same. */
export const shortStateRow = z.union([
  detailedCount,
  z.tuple([z.string(), z.string(), z.nullable(ruleState), z.int()]).check(
    z.meta({
      description: 'Account, name, state, count',
    }),
  ),
]);
export type ShortStateRow = z.input<typeof shortStateRow>;

/** A DID for which a subscription could not make its rules, however often it was tried. */
export const subscriptionFailure = z.object({
  scope: z.string(),
  name: z.string(),
  did_type: z.enum(['DATASET', 'CONTAINER']),
  replication_rules: z
    .nullable(z.array(z.int()))
    .check(z.meta({ description: 'Which of its rules are missing, from 0; null: all' })),
  exception: z.string(),
  message: z.string(),
  attempts: z.int(),
  failed_at: date,
});
export type SubscriptionFailure = z.input<typeof subscriptionFailure>;

/** What a subscription would do now for a DID that it wants. */
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
    .check(z.meta({ description: 'The rules that it would make, without those that are there already' })),
  exception: z.nullable(z.string()).check(z.meta({ description: 'Why it would not make some of them, or all' })),
  message: z.nullable(z.string()),
});
export type SubscriptionMatch = z.input<typeof subscriptionMatch>;

/** Query of the numbers of rules by state. */
export const stateQuery = z.object({ include_details: looseFlag('include_details') });

const ruleStateByLetter = new Map<string, RuleState>([
  ['O', 'OK'],
  ['R', 'REPLICATING'],
  ['S', 'STUCK'],
  ['U', 'SUSPENDED'],
  ['W', 'WAITING_APPROVAL'],
  ['I', 'INJECT'],
]);

/** Query of the rules of a subscription. */
export const ruleQuery = z.object({
  state: z
    .pipe(
      z.optional(z.string()),
      z.transform((text, context): RuleState | undefined => {
        if (text === undefined || text === '') return undefined;
        const state = ruleStateByLetter.get(text) ?? ruleStates.find((name) => name === text);
        if (state === undefined) {
          const message = `'${text}' is not a valid RuleState`;
          context.issues.push({ code: 'custom', message, params: { exception: 'ValueError' }, input: text });
        }
        return state;
      }),
    )
    .check(z.meta({ type: 'string', enum: [...ruleStateByLetter.keys(), ...ruleStates] })),
});
