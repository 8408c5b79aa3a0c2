import type * as z from 'zod/mini';

import type { rule as ruleSchema } from '../../contract/schemas/rule.ts';
import type { Did } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';
import { stateOfRule } from '../values/rule-state.ts';

/** The wire form of a rule, the same on every route. */
export type RuleRecord = z.input<typeof ruleSchema>;

/**
 * The record of a rule (spec/replication.md 2.2).
 *
 * @param did The DID of the rule; undefined while it is being deleted.
 */
export function describeRule(rule: Rule, did: Pick<Did, 'bytes'> | undefined): RuleRecord {
  const state = stateOfRule(rule);
  return {
    id: rule.id,
    scope: rule.did.scope,
    name: rule.did.name,
    did_type: rule.didType,
    account: rule.account,
    rse_expression: rule.rseExpression,
    copies: rule.copies,
    grouping: rule.grouping,
    state,
    locks_ok_cnt: rule.ok,
    locks_replicating_cnt: rule.replicating,
    locks_stuck_cnt: rule.stuck,
    created_at: formatDate(rule.createdAt),
    updated_at: formatDate(rule.updatedAt),
    expires_at: formatOptionalDate(rule.expiresAt),
    stuck_at: formatOptionalDate(rule.stuckAt),
    eol_at: formatOptionalDate(rule.eolAt),
    deleted_at: null,
    error: state === 'OK' ? null : (rule.error ?? null),
    weight: rule.weight ?? null,
    locked: rule.locked === true,
    subscription_id: rule.subscriptionId ?? null,
    source_replica_expression: rule.sourceReplicaExpression ?? null,
    activity: rule.activity,
    notification: rule.notification,
    purge_replicas: rule.purgeReplicas === true,
    ignore_availability: rule.ignoreAvailability === true,
    ignore_account_limit: rule.ignoreAccountLimit === true,
    priority: rule.priority,
    comments: rule.comments ?? null,
    child_rule_id: rule.childRuleId ?? null,
    split_container: rule.splitContainer === true,
    meta: rule.meta ?? null,
    bytes: did?.bytes ?? null,
  };
}
