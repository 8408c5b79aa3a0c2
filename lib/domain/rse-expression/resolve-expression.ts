import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { parseExpression } from './parse-expression.ts';

/**
 * The live RSEs of an expression in name order, at least one, as they are in the table now (spec/rses.md 5). Costs one
 * read of one unit while the cached fleet is current.
 *
 * @throws InvalidRSEExpression (400) when it is malformed or no RSE matches; InvalidObject (400) when a value is not valid
 *   for its column.
 */
export async function resolveExpression(table: Table, expression: string): Promise<readonly Rse[]> {
  const parsed = parseExpression(expression);
  const { live } = await getFleet(table);
  const found = evaluateExpression(parsed, live);
  return found.length > 0 ? found : fail('InvalidRSEExpression', 'RSE Expression resulted in an empty set.');
}

/** Resolves an expression, or answers no RSE if it cannot be evaluated: for lists that show the expression anyway (spec/access.md 2.4). */
export async function resolveIfPossible(table: Table, expression: string): Promise<readonly Rse[]> {
  try {
    return await resolveExpression(table, expression);
  } catch (error) {
    if (error instanceof RucioError && unresolvable.has(error.name)) return [];
    throw error;
  }
}

const unresolvable: ReadonlySet<string> = new Set(['InvalidRSEExpression', 'InvalidObject']);
