import { fail, RucioError } from '../../errors.ts';
import { getDid } from '../../store/entities/did.ts';
import { getRule as readRule, type Rule } from '../../store/entities/rule.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { describeRule, type RuleRecord } from './describe-rule.ts';

/**
 * The record of a rule (spec/replication.md 2.2).
 *
 * @throws RucioException (400) for what is no id; RuleNotFound (404).
 */
export async function getRule({ store: { table } }: Context, text: string): Promise<RuleRecord> {
  const rule = await findRule(table, text);
  return describeRule(rule, await getDid(table, rule.did));
}

/**
 * The rule of an id as a caller writes it.
 *
 * @throws RucioException (400) for what is no id; RuleNotFound (404).
 */
export async function findRule(table: Table, text: string): Promise<Rule> {
  return (await readRule(table, readRuleId(text))) ?? failWithoutRule(text);
}

/**
 * An id as it is stored: 32 hex digits, which callers may write with dashes.
 *
 * @throws RucioException (400) when it is none.
 */
export function readRuleId(text: string): string {
  const id = text.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(id)) fail('RucioException', `Badly formatted rule id (${text})`);
  return id;
}

/**
 * Says that there is no rule of an id.
 *
 * @throws RuleNotFound (404), always.
 */
export function failWithoutRule(id: string): never {
  throw new RucioError('RuleNotFound', `No rule with the id ${id} found`);
}
