import * as z from 'zod';

import { toJson } from '../../json.ts';
import { accountName } from './account.ts';
import { activities } from './activity.ts';
import { looseBoolean, looseFlag } from './common.ts';
import { didName, scopeName } from './did.ts';

const activity = z.enum(activities);

/** An id as it is stored, of what callers write with or without dashes. */
export const idText = z
  .string()
  .transform((text) => text.replaceAll('-', '').toLowerCase())
  .refine((text) => /^[0-9a-f]{32}$/.test(text), { error: ({ input }) => `'${String(input)}' is no id` });

const expression = z.string().max(3_000);
const sourceExpression = z.string().max(255).nullish();
const lifetime = z.number().min(-1e10).max(1e10).nullable().meta({ description: 'Seconds from now; null: for ever' });
const priority = z.int().min(-2_147_483_648).max(2_147_483_647);

/** What a rule may be given besides what it must be given. */
const wishes = {
  grouping: z.enum(['ALL', 'DATASET', 'NONE']).nullish(),
  weight: z
    .string()
    .max(255)
    .nullish()
    .meta({ description: 'An attribute of RSEs whose value says how likely one is' }),
  lifetime: lifetime.optional(),
  subscription_id: idText.nullish(),
  source_replica_expression: sourceExpression,
  activity: activity.nullish(),
  notify: z.enum(['Y', 'N', 'C', 'P']).nullish(),
  comment: z.string().max(250).nullish(),
};

/** Body of the creation of rules (spec/replication.md 2.3). */
export const newRules = z.object({
  dids: z.array(z.looseObject({ scope: scopeName, name: didName })),
  account: accountName.nullable().meta({ description: 'Null: the caller' }),
  copies: z.int(),
  rse_expression: expression,
  locked: looseFlag('locked'),
  purge_replicas: looseFlag('purge_replicas'),
  ignore_availability: looseFlag('ignore_availability'),
  ask_approval: looseFlag('ask_approval'),
  asynchronous: looseFlag('asynchronous'),
  split_container: looseFlag('split_container'),
  ...wishes,
  delay_injection: z.int().min(-1e10).max(1e10).nullish().meta({ description: 'Seconds' }),
  priority: priority.default(3),
  meta: z
    .string()
    .max(3_999)
    .nullish()
    .transform((text) => (typeof text === 'string' ? toJson(text) : undefined)),
});

const options = z.looseObject({
  approve: looseBoolean('approve').optional(),
  lifetime: lifetime.optional(),
  comment: z.string().max(250).nullish(),
  locked: looseBoolean('locked').optional(),
  account: accountName.optional(),
  state: z.string().optional().meta({ description: '`STUCK` or `SUSPENDED`; other words mean nothing' }),
  cancel_requests: looseBoolean('cancel_requests').nullish(),
  activity: activity.optional(),
  source_replica_expression: sourceExpression,
  priority: priority.optional(),
  child_rule_id: idText.nullish(),
  eol_at: z.string().nullish().meta({ description: 'Date such as `Sat, 21 Nov 2026 12:21:38 UTC`' }),
  meta: z.unknown().optional(),
  purge_replicas: looseBoolean('purge_replicas').optional(),
  boost_rule: z.unknown().optional(),
});
/** What of a rule is to be changed. */
export type RuleOptions = z.output<typeof options>;
/** The names of all options. */
export const ruleOptionNames: ReadonlySet<string> = new Set(Object.keys(options.shape));

/** Body of the change of a rule (spec/replication.md 2.4); options that there are not are refused by name. */
export const ruleChange = z.object({ options });

/** Body of the deletion of a rule. */
export const ruleDeletion = z.object({ purge_replicas: looseBoolean('purge_replicas').nullish() });

/** Body of the reduction of a rule. */
export const ruleReduction = z.object({ copies: z.int(), exclude_expression: expression.nullish() });
export type RuleReduction = z.output<typeof ruleReduction>;

/** Body of the move of a rule; what cannot be overridden is refused by name. */
export const ruleMove = z.object({
  rse_expression: expression,
  rule_id: z.string().nullish().meta({ description: 'In place of the id in the path' }),
  override: z
    .looseObject({
      account: accountName.optional(),
      copies: z.int().optional(),
      rse_expression: expression.optional(),
      locked: looseBoolean('locked').optional(),
      purge_replicas: looseBoolean('purge_replicas').optional(),
      ignore_availability: looseBoolean('ignore_availability').optional(),
      ...wishes,
    })
    .nullish(),
  activity: activity.nullish(),
  source_replica_expression: sourceExpression,
});
export type RuleMove = z.output<typeof ruleMove>;
