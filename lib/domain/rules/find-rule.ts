import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getRule as readRule, type Rule } from '../../store/entities/rule.ts';

/**
 * Reads a rule by the id that a caller gave.
 *
 * @throws RucioException (400) for a malformed id; RuleNotFound (404).
 */
export async function findRule(table: Table, text: string): Promise<Rule> {
  return (await readRule(table, readRuleId(text))) ?? failRuleNotFound(text);
}

/**
 * Reads a rule id: 32 hex digits, which callers may write with dashes. @returns The id as it is stored.
 *
 * @throws RucioException (400) if it is malformed.
 */
export function readRuleId(text: string): string {
  const id = text.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(id)) fail('RucioException', `Badly formatted rule id (${text})`);
  return id;
}

/**
 * Fails because no rule has an id.
 *
 * @throws RuleNotFound (404), always.
 */
export function failRuleNotFound(id: string): never {
  throw new RucioError('RuleNotFound', `No rule with the id ${id} found`);
}
