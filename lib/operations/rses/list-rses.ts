import type { RseLine } from '../../contract/schemas/rse.ts';
import { byName, type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import { describeRecord } from '../../domain/rses/describe-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';

/**
 * The live RSEs in name order: the records of all, or the names of those of an expression (spec/rses.md 1.1).
 *
 * @param expression Absent or empty: all.
 * @throws InvalidRSEExpression, InvalidObject (400) when the expression is malformed or no RSE matches.
 */
export async function* listLiveRses(
  { store: { table } }: Context,
  { expression = '' }: { readonly expression?: string | undefined },
  page: Page = wholeList,
): AsyncGenerator<Placed<RseLine>> {
  const selected = expression === '' ? (await getFleet(table)).live : await resolveExpression(table, expression);
  for (const { row, position } of byName(selected, ({ rse }) => rse, page)) {
    yield { row: expression === '' ? describeRecord(row) : { rse: row.rse }, position };
  }
}
