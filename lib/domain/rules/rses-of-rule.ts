import type { Table } from '../../store/batches/table.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { resolveIfPossible } from '../rse-expression/resolve-expression.ts';

/** The RSEs that the expression of a rule names now; none of a rule that does not exist. */
export async function rsesOfRule(table: Table, rule: Pick<Rule, 'rseExpression'> | undefined): Promise<readonly Rse[]> {
  return rule === undefined ? [] : resolveIfPossible(table, rule.rseExpression);
}
