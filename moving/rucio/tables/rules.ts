import { flag, id, integer, number, relation, text, time } from '../columns.ts';

const dates = { created_at: time, updated_at: time };
const name = { scope: text, name: text };

/** Rules, locks and subscriptions in Rucio's database. */
export const ruleRelations = {
  updated_dids: relation({ tables: ['updated_dids'], required: { scope: text, name: text }, optional: {} }),
  rules: relation({
    tables: ['rules'],
    required: {
      id,
      account: text,
      ...name,
      did_type: text,
      state: text,
      rse_expression: text,
      copies: number,
      locked: flag,
      grouping: text,
      ...dates,
    },
    optional: {
      subscription_id: id,
      error: text,
      expires_at: time,
      weight: text,
      locks_ok_cnt: integer,
      locks_replicating_cnt: integer,
      locks_stuck_cnt: integer,
      source_replica_expression: text,
      activity: text,
      notification: text,
      stuck_at: time,
      purge_replicas: flag,
      ignore_availability: flag,
      ignore_account_limit: flag,
      priority: number,
      comments: text,
      child_rule_id: id,
      eol_at: time,
      split_container: flag,
      meta: text,
    },
  }),
  locks: relation({
    tables: ['locks'],
    required: { ...name, rule_id: id, rse_id: id, account: text, state: text },
    optional: {},
  }),
  lock_counts: relation({
    tables: ['locks'],
    required: { rule_id: id, state: text, locks: number },
    optional: {},
    statement: (within) =>
      `SELECT rule_id, state, count(*) AS locks FROM locks WHERE ${within} GROUP BY rule_id, state`,
  }),
  awaited_rules: relation({
    tables: ['rules'],
    required: { child_rule_id: id },
    optional: {},
    statement: (within) => `SELECT DISTINCT child_rule_id FROM rules WHERE ${within}`,
  }),
  rule_rses: relation({
    tables: ['dataset_locks'],
    required: { rule_id: id, rse_id: id },
    optional: {},
    statement: (within) => `SELECT DISTINCT rule_id, rse_id FROM dataset_locks WHERE ${within}`,
  }),
  dataset_locks: relation({
    tables: ['dataset_locks'],
    required: { ...name, rule_id: id, rse_id: id, created_at: time },
    optional: {},
  }),
  rules_hist_recent: relation({
    tables: ['rules_hist_recent'],
    required: { id, account: text, ...name, state: text, rse_expression: text, ...dates },
    optional: { locks_ok_cnt: number, locks_replicating_cnt: number, locks_stuck_cnt: number, deleted_at: time },
  }),
  subscriptions: relation({
    tables: ['subscriptions'],
    required: { id, name: text, account: text, state: text, policyid: number, retroactive: flag, ...dates },
    optional: {
      filter: text,
      replication_rules: text,
      last_processed: time,
      lifetime: time,
      comments: text,
      expired_at: time,
    },
  }),
} as const;
