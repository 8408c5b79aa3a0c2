import { projectPaths } from '../expressions/projection.ts';
import type { PlannedWrite } from '../items/plan-write.ts';
import type { Item } from '../values/attribute-value.ts';
import type { PreparedWrite } from './prepare.ts';

/** The answer to the RETURNING clause of a write; undefined if empty. */
export function returnedItem({ statement }: PreparedWrite, { mutation, paths }: PlannedWrite): Item | undefined {
  const returning = 'returning' in statement ? statement.returning : undefined;
  const { before, after } = mutation;
  switch (returning) {
    case 'ALL OLD':
      return before?.item;
    case 'ALL NEW':
      return after;
    case 'MODIFIED OLD':
      return nonEmpty(before === undefined ? undefined : projectPaths(before.item, paths));
    case 'MODIFIED NEW':
      return nonEmpty(after === undefined ? undefined : projectPaths(after, paths));
    default:
      return undefined;
  }
}

function nonEmpty(item: Item | undefined): Item | undefined {
  return item === undefined || Object.keys(item).length === 0 ? undefined : item;
}
