import { describeRule, type RuleRecord } from '../../domain/rules/describe-rule.ts';
import { findRule } from '../../domain/rules/find-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { getDid } from '../../store/entities/did.ts';

/**
 * The record of a rule (spec/replication.md 2.2).
 *
 * @throws RucioException (400) for a malformed id; RuleNotFound (404).
 */
export async function showRule({ store: { table } }: Context, text: string): Promise<RuleRecord> {
  const rule = await findRule(table, text);
  return describeRule(rule, await getDid(table, rule.did));
}
