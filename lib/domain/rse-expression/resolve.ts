import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { evaluate } from './evaluate.ts';
import { parseExpression } from './parse.ts';

/**
 * The live RSEs of an expression in name order, at least one, as they are in the table now (spec/rses.md 5). Costs one
 * read of one unit in a process that has read the fleet since it last changed.
 *
 * @throws InvalidRSEExpression (400) when it is no expression or no RSE fits; InvalidObject (400) when a column is
 *   compared with what it cannot hold.
 */
export async function resolveExpression(table: Table, expression: string): Promise<readonly Rse[]> {
  const parsed = parseExpression(expression);
  const { live } = await getFleet(table);
  const found = evaluate(parsed, live);
  return found.length > 0 ? found : fail('InvalidRSEExpression', 'RSE Expression resulted in an empty set.');
}

/** The same, and none where the expression cannot be evaluated: for lists that show it all the same (access.md 2.4). */
export async function resolveIfPossible(table: Table, expression: string): Promise<readonly Rse[]> {
  try {
    return await resolveExpression(table, expression);
  } catch (error) {
    if (error instanceof RucioError && unresolvable.has(error.name)) return [];
    throw error;
  }
}

const unresolvable: ReadonlySet<string> = new Set(['InvalidRSEExpression', 'InvalidObject']);
