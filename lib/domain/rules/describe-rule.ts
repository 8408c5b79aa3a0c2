import type * as z from 'zod';

import type { rule as ruleSchema } from '../../contract/schemas/rule.ts';
import type { Did } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';

/** A rule as every route shows it. */
export type RuleRecord = z.input<typeof ruleSchema>;

const groupings = new Map<unknown, RuleRecord['grouping']>([
  ['A', 'ALL'],
  ['ALL', 'ALL'],
  ['N', 'NONE'],
  ['NONE', 'NONE'],
]);

const notifications = new Map<unknown, RuleRecord['notification']>([
  ['Y', 'YES'],
  ['YES', 'YES'],
  ['C', 'CLOSE'],
  ['CLOSE', 'CLOSE'],
  ['P', 'PROGRESS'],
  ['PROGRESS', 'PROGRESS'],
]);

/** The record of a rule (spec/replication.md 2.2); what it was not given has Rucio's default. */
export function describeRule(rule: Rule, did: Did): RuleRecord {
  const { options } = rule;
  const text = (key: string) => (typeof options[key] === 'string' ? options[key] : null);
  const flag = (key: string) => options[key] === true;
  return {
    id: rule.id,
    scope: did.scope,
    name: did.name,
    did_type: did.type,
    account: rule.account,
    rse_expression: rule.rseExpression,
    copies: rule.copies,
    grouping: groupings.get(options['grouping']) ?? 'DATASET',
    state: rule.state,
    // A rule that waits for its first evaluation has no locks.
    locks_ok_cnt: 0,
    locks_replicating_cnt: 0,
    locks_stuck_cnt: 0,
    created_at: formatDate(rule.createdAt),
    updated_at: formatDate(rule.createdAt),
    expires_at: formatOptionalDate(rule.expiresAt),
    stuck_at: null,
    eol_at: null,
    deleted_at: null,
    error: null,
    weight: text('weight'),
    locked: flag('locked'),
    subscription_id: text('subscription_id'),
    source_replica_expression: text('source_replica_expression'),
    activity: text('activity') ?? 'default',
    notification: notifications.get(options['notify']) ?? 'NO',
    purge_replicas: flag('purge_replicas'),
    ignore_availability: flag('ignore_availability'),
    ignore_account_limit: false,
    priority: typeof options['priority'] === 'number' ? options['priority'] : 3,
    comments: text('comment'),
    child_rule_id: null,
    split_container: flag('split_container'),
    meta: text('meta'),
    bytes: did.bytes ?? null,
  };
}
