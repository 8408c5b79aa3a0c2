import * as z from 'zod';

import { date, integer } from './common.ts';
import { didType } from './did.ts';

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
  state: z.enum(['OK', 'REPLICATING', 'STUCK', 'SUSPENDED', 'WAITING_APPROVAL', 'INJECT']),
  locks_ok_cnt: z.int(),
  locks_replicating_cnt: z.int(),
  locks_stuck_cnt: z.int(),
  created_at: date,
  updated_at: date,
  expires_at: date.nullable(),
  stuck_at: date.nullable(),
  eol_at: date.nullable(),
  deleted_at: date.nullable(),
  error: z.string().nullable(),
  weight: z.string().nullable(),
  locked: z.boolean(),
  subscription_id: z.string().nullable(),
  source_replica_expression: z.string().nullable(),
  activity: z.string(),
  notification: z.enum(['YES', 'NO', 'CLOSE', 'PROGRESS']),
  purge_replicas: z.boolean(),
  ignore_availability: z.boolean(),
  ignore_account_limit: z.boolean(),
  priority: z.int(),
  comments: z.string().nullable(),
  child_rule_id: z.string().nullable(),
  split_container: z.boolean(),
  meta: z.string().nullable(),
  bytes: integer.nullable(),
});
