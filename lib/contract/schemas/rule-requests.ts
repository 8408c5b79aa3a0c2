import * as z from 'zod/mini';

import { toJson, toText } from '../../json.ts';
import { looseBoolean, looseFlag, mapped, rseExpression } from './common.ts';
import { accountName, describeNoActivity } from './names.ts';
import { knownDidName, knownScopeName } from './names.ts';

import policy from '#policy';

const activity = z.enum(policy.activities, { error: ({ input }) => describeNoActivity(input) });

/** An id in its stored form; callers may write it with dashes. */
export const idText = mapped(z.string(), (text) => text.replaceAll('-', '').toLowerCase()).check(
  z.refine((text) => /^[0-9a-f]{32}$/.test(text), { error: ({ input }) => `'${toText(input)}' is no id` }),
);

const sourceExpression = z.nullish(z.string().check(z.maxLength(255)));
const lifetime = z
  .nullable(z.number().check(z.minimum(-1e10), z.maximum(1e10)))
  .check(z.meta({ description: 'Seconds from now; null: no expiry' }));
const priority = z.int().check(z.minimum(-2_147_483_648), z.maximum(2_147_483_647));

/** The optional members of a new rule. */
const optionalMembers = {
  grouping: z.nullish(z.enum(['ALL', 'DATASET', 'NONE'])),
  weight: z
    .nullish(z.string().check(z.maxLength(255)))
    .check(z.meta({ description: 'An attribute of RSEs whose value is the weight of the RSE' })),
  lifetime: z.optional(lifetime),
  subscription_id: z.nullish(idText),
  source_replica_expression: sourceExpression,
  activity: z.nullish(activity),
  notify: z.nullish(z.enum(['Y', 'N', 'C', 'P'])),
  comment: z.nullish(z.string().check(z.maxLength(250))),
};

/** Body of the creation of rules (spec/replication.md 2.3). */
export const newRules = z.object({
  dids: z.array(z.looseObject({ scope: knownScopeName, name: knownDidName })),
  account: z.nullable(accountName).check(z.meta({ description: 'Null: the caller' })),
  copies: z.int(),
  rse_expression: rseExpression,
  locked: looseFlag('locked'),
  purge_replicas: looseFlag('purge_replicas'),
  ignore_availability: looseFlag('ignore_availability'),
  ask_approval: looseFlag('ask_approval'),
  asynchronous: looseFlag('asynchronous'),
  split_container: looseFlag('split_container'),
  ...optionalMembers,
  delay_injection: z
    .nullish(z.int().check(z.minimum(-1e10), z.maximum(1e10)))
    .check(z.meta({ description: 'Seconds' })),
  priority: z._default(priority, 3),
  meta: mapped(z.nullish(z.string().check(z.maxLength(3_999))), (text) =>
    typeof text === 'string' ? toJson(text) : undefined,
  ),
});

const options = z.looseObject({
  approve: z.optional(looseBoolean('approve')),
  lifetime: z.optional(lifetime),
  comment: z.nullish(z.string().check(z.maxLength(250))),
  locked: z.optional(looseBoolean('locked')),
  account: z.optional(accountName),
  state: z.optional(z.string()).check(z.meta({ description: '`STUCK` or `SUSPENDED`; other values have no effect' })),
  cancel_requests: z.nullish(looseBoolean('cancel_requests')),
  activity: z.optional(activity),
  source_replica_expression: sourceExpression,
  priority: z.optional(priority),
  child_rule_id: z.nullish(idText),
  eol_at: z.nullish(z.string()).check(z.meta({ description: 'Date such as `Sat, 21 Nov 2026 12:21:38 UTC`' })),
  meta: z.optional(z.unknown()),
  purge_replicas: z.optional(looseBoolean('purge_replicas')),
  boost_rule: z.optional(z.unknown()),
  evaluate: z
    .optional(looseBoolean('evaluate'))
    .check(
      z.meta({ description: 'Place the rule anew by its expression, as the RSEs are now; goes with no other option' }),
    ),
});
/** The options of a rule to change. */
export type RuleOptions = z.output<typeof options>;
/** The names of all options. */
export const ruleOptionNames: ReadonlySet<string> = new Set(Object.keys(options.shape));

/** Body of the change of a rule (spec/replication.md 2.4); unknown options are refused by name. */
export const ruleChange = z.object({ options });

/** Body of the deletion of a rule. */
export const ruleDeletion = z.object({ purge_replicas: z.nullish(looseBoolean('purge_replicas')) });

/** Body of the reduction of a rule. */
export const ruleReduction = z.object({ copies: z.int(), exclude_expression: z.nullish(rseExpression) });
export type RuleReduction = z.output<typeof ruleReduction>;

/** The activity of a moved rule: any text, as Rucio takes it, of the length that its database allows. */
const anyActivity = z.nullish(z.string().check(z.maxLength(50)));

/** Body of the move of a rule; members that cannot be overridden are refused by name. */
export const ruleMove = z.object({
  rse_expression: rseExpression,
  rule_id: z.nullish(z.string()).check(z.meta({ description: 'Used instead of the id in the path' })),
  override: z.nullish(
    z.looseObject({
      account: z.optional(accountName),
      copies: z.optional(z.int()),
      rse_expression: z.optional(rseExpression),
      locked: z.optional(looseBoolean('locked')),
      purge_replicas: z.optional(looseBoolean('purge_replicas')),
      ignore_availability: z.optional(looseBoolean('ignore_availability')),
      ...optionalMembers,
      activity: anyActivity,
    }),
  ),
  activity: anyActivity,
  source_replica_expression: sourceExpression,
});
export type RuleMove = z.output<typeof ruleMove>;
