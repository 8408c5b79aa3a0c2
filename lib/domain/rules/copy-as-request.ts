import type { Rule } from '../../store/entities/rule.ts';
import type { RulesRequest } from './rules-request.ts';

const letters: Readonly<Record<Rule['notification'], string>> = { YES: 'Y', NO: 'N', CLOSE: 'C', PROGRESS: 'P' };

/**
 * The request for a rule like another one, without comment, priority and metadata (spec/replication.md 2.6, 2.8).
 *
 * @param now In milliseconds since 1970; the remaining lifetime is counted from here.
 */
export function copyAsRequest(rule: Rule, now: number): RulesRequest {
  return {
    dids: [rule.did],
    account: rule.account,
    copies: rule.copies,
    rse_expression: rule.rseExpression,
    grouping: rule.grouping,
    weight: rule.weight,
    lifetime: rule.expiresAt === undefined ? null : Math.floor((rule.expiresAt - now) / 1_000),
    locked: rule.locked === true,
    subscription_id: rule.subscriptionId,
    source_replica_expression: rule.sourceReplicaExpression,
    activity: rule.activity,
    notify: letters[rule.notification],
    purge_replicas: rule.purgeReplicas === true,
    ignore_availability: rule.ignoreAvailability === true,
  };
}
