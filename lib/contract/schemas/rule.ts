import * as z from 'zod/mini';

import { date, integer } from './common.ts';
import { didType } from './did.ts';
import { listNames, RuleState } from './states.ts';

/** A replication rule as every route shows it (spec/replication.md 2.2). */
export const rule = z.object({
  id: z.string(),
  scope: z.string(),
  name: z.string(),
  did_type: didType,
  account: z.string(),
  rse_expression: z.string(),
  copies: z.int(),
  grouping: z.enum(['ALL', 'DATASET', 'NONE']),
  state: z.enum(listNames(RuleState)),
  locks_ok_cnt: z.int(),
  locks_replicating_cnt: z.int(),
  locks_stuck_cnt: z.int(),
  created_at: date,
  updated_at: date,
  expires_at: z.nullable(date),
  stuck_at: z.nullable(date),
  eol_at: z.nullable(date),
  deleted_at: z.nullable(date),
  error: z.nullable(z.string()),
  weight: z.nullable(z.string()),
  locked: z.boolean(),
  subscription_id: z.nullable(z.string()),
  source_replica_expression: z.nullable(z.string()),
  activity: z.string(),
  notification: z.enum(['YES', 'NO', 'CLOSE', 'PROGRESS']),
  purge_replicas: z.boolean(),
  ignore_availability: z.boolean(),
  ignore_account_limit: z.boolean(),
  priority: z.int(),
  comments: z.nullable(z.string()),
  child_rule_id: z.nullable(z.string()),
  split_container: z.boolean(),
  meta: z.nullable(z.string()),
  bytes: z.nullable(integer),
});

/** A line of the history of the rules of a DID (spec/replication.md 2.10). */
export const ruleHistoryLine = z.object({
  rule_id: z.string(),
  created_at: date,
  updated_at: date,
  rse_expression: z.string(),
  state: rule.shape.state,
  account: z.string(),
  locks_ok_cnt: z.int(),
  locks_stuck_cnt: z.int(),
  locks_replicating_cnt: z.int(),
});
export type RuleHistoryLine = z.input<typeof ruleHistoryLine>;

/** A line of the history of a rule. */
export const ruleStateLine = z.pick(ruleHistoryLine, {
  updated_at: true,
  state: true,
  locks_ok_cnt: true,
  locks_replicating_cnt: true,
  locks_stuck_cnt: true,
});

/** Why a rule is not OK (spec/replication.md 2.9). */
export const ruleAnalysis = z.object({
  rule_error: z.nullable(z.string()),
  transfers: z.array(
    z.object({
      scope: z.string(),
      name: z.string(),
      rse_id: z.string(),
      rse: z.string(),
      attempts: z.int(),
      last_error: z.string(),
      last_source: z.nullable(z.string()),
      last_time: z.nullable(date),
      sources: z
        .array(z.tuple([z.string(), z.boolean()]))
        .check(z.meta({ description: 'RSEs, and whether each is readable' })),
    }),
  ),
});
export type RuleAnalysis = z.input<typeof ruleAnalysis>;
