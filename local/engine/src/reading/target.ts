import { contradictionError, validationError, tableNotFoundError } from '../errors.ts';
import { findIndex, type IndexDefinition, type TableDefinition } from '../schema/definition.ts';
import type { TableStore } from '../storage/table-store.ts';
import { type KeyAttributes, listKeyAttributes } from '../values/key.ts';
import type { ItemView } from './item-view.ts';

/** The attributes that a page answers. */
export type Select = 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT';

/** A table or an index of it that is queried or scanned. */
export interface Target {
  readonly table: TableDefinition;
  readonly index?: IndexDefinition;
  /** The keys of the index, or those of the table. */
  readonly keys: KeyAttributes;
}

/** The names of a target. */
export interface TargetInput {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Select?: Select;
}

/**
 * Finds a table or an index.
 *
 * @throws ResourceNotFoundException; ValidationException if the index does not exist, or does not support the read.
 */
export function findTarget(
  tables: TableStore,
  { TableName, IndexName, ConsistentRead }: TargetInput,
  now: number,
): Target {
  const table = tables.find(TableName);
  if (table === undefined) throw tableNotFoundError();
  if (IndexName === undefined) return { table, keys: table.keys };
  const index = findIndex(table, IndexName);
  if (index === undefined) throw validationError(`The table does not have the specified index: ${IndexName}`);
  if (index.activeAt > now) throw validationError(`Cannot read from backfilling global secondary index: ${IndexName}`);
  if (ConsistentRead === true && index.kind === 'global') {
    throw validationError('Consistent reads are not supported on global secondary indexes');
  }
  return { table, index, keys: index.keys };
}

/** The number of terms that a key condition of a target may have, even if the target does not exist. */
export function countKeyAttributes(tables: TableStore, { TableName, IndexName }: TargetInput): number | undefined {
  const table = IndexName === undefined ? undefined : tables.find(TableName);
  const index = table === undefined || IndexName === undefined ? undefined : findIndex(table, IndexName);
  return index?.keys.more === undefined ? undefined : listKeyAttributes(index.keys).length;
}

/**
 * Checks that an index projects the requested attributes.
 *
 * @returns whether items must be read from the table because the index projects only part of them.
 * @throws ValidationException if a global index does not project them.
 */
export function mustFetch({ table, index }: Target, select: Select | undefined, shown: ItemView | undefined): boolean {
  if (index === undefined || index.projection.type === 'ALL') return false;
  if (select === 'ALL_ATTRIBUTES') {
    if (index.kind === 'local') return true;
    throw contradictionError(
      'Select type ALL_ATTRIBUTES is not supported for global secondary ' +
        `index ${index.name} because its projection type is not ALL`,
    );
  }
  if (shown === undefined) return false;
  const hidden = listHidden(shown.attributes, table, index);
  if (hidden.length === 0) return false;
  if (index.kind === 'local') return true;
  throw contradictionError(`Global secondary index ${index.name} does not project [${hidden.join(', ')}]`);
}

/**
 * Checks that an index projects the attributes of a query's filter.
 *
 * @throws ValidationException if it does not, even if the items are read from the table.
 */
export function checkFiltered({ table, index }: Target, attributes: readonly string[]): void {
  if (index === undefined || index.projection.type === 'ALL') return;
  const hidden = listHidden(attributes, table, index);
  if (hidden.length === 0) return;
  throw contradictionError(
    `Secondary index ${index.name} does not project one or more filter attributes: [${hidden.join(', ')}]`,
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
