import { getDid } from '../../store/entities/did.ts';
import type { Context } from '../context.ts';
import { describeRule, type RuleRecord } from './describe-rule.ts';
import { findRule } from './find-rule.ts';

/**
 * The record of a rule (spec/replication.md 2.2).
 *
 * @throws RucioException (400) for what is no id; RuleNotFound (404).
 */
export async function getRule({ store: { table } }: Context, text: string): Promise<RuleRecord> {
  const rule = await findRule(table, text);
  return describeRule(rule, await getDid(table, rule.did));
}
