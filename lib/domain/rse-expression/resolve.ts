import { rseName } from '../../contract/schemas/did.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Table } from '../../store/table.ts';

/**
 * The RSEs of an expression in name order, at least one (spec/rses.md 5). So far an expression is `*` or the name of an
 * RSE; the parser of the others belongs here.
 *
 * @throws InvalidRSEExpression (400) when it cannot be evaluated or no RSE fits.
 */
export async function resolveExpression(table: Table, expression: string): Promise<readonly Rse[]> {
  const found = await evaluate(table, expression);
  return found.length > 0 ? found : fail('InvalidRSEExpression', 'RSE Expression resulted in an empty set.');
}

/** The same, and none where the expression cannot be evaluated: for lists that show it all the same (access.md 2.4). */
export async function resolveIfPossible(table: Table, expression: string): Promise<readonly Rse[]> {
  try {
    return await resolveExpression(table, expression);
  } catch (error) {
    if (error instanceof RucioError && error.name === 'InvalidRSEExpression') return [];
    throw error;
  }
}

async function evaluate(table: Table, expression: string): Promise<readonly Rse[]> {
  const { live } = await getFleet(table);
  if (expression === '*') return live;
  if (!rseName.safeParse(expression).success) {
    return fail('InvalidRSEExpression', 'Only * and the name of an RSE can be evaluated so far.');
  }
  return live.filter(({ rse }) => rse === expression);
}
