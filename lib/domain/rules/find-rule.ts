import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getRule as readRule, type Rule } from '../../store/entities/rule.ts';

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
