import { invalid, tableNotFound } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import { findIndex, type IndexDefinition, type TableDefinition } from '../schema/definition.ts';
import type { TableStore } from '../storage/table-store.ts';
import { type KeyAttributes, listKeyAttributes } from '../values/key.ts';
import type { Shown } from './shown.ts';

/** Which parts of items a page answers. */
export type Select = 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT';

/** A table or an index of it that is queried or scanned. */
export interface Target {
  readonly table: TableDefinition;
  readonly index?: IndexDefinition;
  /** The keys of the index, or else of the table. */
  readonly keys: KeyAttributes;
}

/** What names a target. */
export interface TargetInput {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Select?: Select;
}

/**
 * Finds a table or an index.
 *
 * @throws ResourceNotFoundException, or ValidationException when the index is not there, or cannot be read that way.
 */
export function findTarget(
  tables: TableStore,
  { TableName, IndexName, ConsistentRead }: TargetInput,
  now: number,
): Target {
  const table = tables.find(TableName);
  if (table === undefined) throw tableNotFound();
  if (IndexName === undefined) return { table, keys: table.keys };
  const index = findIndex(table, IndexName);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${IndexName}`);
  if (index.activeAt > now) throw invalid(`Cannot read from backfilling global secondary index: ${IndexName}`);
  if (ConsistentRead === true && index.kind === 'global') {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }
  return { table, index, keys: index.keys };
}

/** Terms that a condition may have on the key of a target, whether that is there or not. */
export function countKeyAttributes(tables: TableStore, { TableName, IndexName }: TargetInput): number | undefined {
  const table = IndexName === undefined ? undefined : tables.find(TableName);
  const index = table === undefined || IndexName === undefined ? undefined : findIndex(table, IndexName);
  return index?.keys.more === undefined ? undefined : listKeyAttributes(index.keys).length;
}

/**
 * Checks that an index shows what a request wants.
 *
 * @returns whether items are to be read from the table because the index shows them in part.
 * @throws ValidationException when a global index does not show it.
 */
export function mustFetch({ table, index }: Target, select: Select | undefined, shown: Shown | undefined): boolean {
  if (index === undefined || index.projection.type === 'ALL') return false;
  if (select === 'ALL_ATTRIBUTES') {
    if (index.kind === 'local') return true;
    throw invalid(
      'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary ' +
        `index ${index.name} because its projection type is not ALL`,
    );
  }
  if (shown === undefined) return false;
  const hidden = listHidden(shown.attributes, table, index);
  if (hidden.length === 0) return false;
  if (index.kind === 'local') return true;
  throw invalid(
    'One or more parameter values were invalid: Global secondary index ' +
      `${index.name} does not project [${hidden.join(', ')}]`,
  );
}

/**
 * Checks that an index has what the filter of a query looks at.
 *
 * @throws ValidationException when it has not, be the rest of the items read from the table or not.
 */
export function checkFiltered({ table, index }: Target, filter: Condition | undefined): void {
  if (filter === undefined || index === undefined || index.projection.type === 'ALL') return;
  const hidden = listHidden(filter.attributes, table, index);
  if (hidden.length === 0) return;
  throw invalid(
    `One or more parameter values were invalid: Secondary index ${index.name} does not project one or more filter ` +
      `attributes: [${hidden.toSorted().join(', ')}]`,
  );
}

function listHidden(names: readonly string[], table: TableDefinition, index: IndexDefinition): readonly string[] {
  const visible = new Set([
    ...listKeyAttributes(table.keys).map(({ name }) => name),
    ...listKeyAttributes(index.keys).map(({ name }) => name),
    ...(index.projection.nonKey ?? []),
  ]);
  return [...new Set(names)].filter((name) => !visible.has(name));
}
