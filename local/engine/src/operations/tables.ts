import { EngineError } from '../errors.ts';
import type { Output } from '../json.ts';
import { tableNameOf, type TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import { type CreateTableInput, defineTable } from '../tables/create.ts';
import { describeTable as describe } from '../tables/describe.ts';
import { reading, writing } from './operation.ts';

interface TableInput {
  readonly TableName: string;
}

interface ListTablesInput {
  readonly ExclusiveStartTableName?: string;
  readonly Limit?: number;
}

export const createTable = writing(({ storage, now }, input: CreateTableInput): Output => {
  const name = tableNameOf(input.TableName);
  if (storage.tables.find(name) !== undefined) {
    throw new EngineError('ResourceInUseException', `Table already exists: ${name}`);
  }
  const table = defineTable(storage.tables, { ...input, TableName: name }, now());
  storage.tables.save(table);
  return { TableDescription: describe(storage, table, now(), 'CREATING') };
});

/** @throws ResourceNotFoundException with the name of the table. */
export function requireTable({ tables }: Storage, name: string): TableDefinition {
  const table = tables.find(name);
  if (table === undefined) {
    throw new EngineError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${tableNameOf(name)} not found`,
    );
  }
  return table;
}

export const describeTable = reading(({ storage, now }, { TableName }: TableInput): Output => ({
  Table: describe(storage, requireTable(storage, TableName), now()),
}));

export const deleteTable = writing(({ storage, now }, { TableName }: TableInput): Output => {
  const table = requireTable(storage, TableName);
  if (table.deletionProtected) {
    throw new EngineError(
      'ValidationException',
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    );
  }
  const description = describe(storage, table, now(), 'DELETING');
  for (const { id } of table.indexes) {
    storage.items.deleteIndex(id);
    storage.totals.delete(id);
  }
  for (const { id } of table.streams) storage.records.deleteStream(id);
  storage.items.deleteTable(table.id);
  storage.totals.delete(table.id);
  storage.expiries.deleteTable(table.id);
  storage.tables.delete(table);
  return { TableDescription: description };
});

/** Number of names in a page. */
const namesPerPage = 100;

export const listTables = reading(({ storage }, input: ListTablesInput): Output => {
  const after = input.ExclusiveStartTableName;
  const names = storage.tables
    .list()
    .map(({ name }) => name)
    .filter((name) => after === undefined || name > after);
  const page = names.slice(0, input.Limit ?? namesPerPage);
  return {
    TableNames: page,
    LastEvaluatedTableName: page.length < names.length ? page.at(-1) : undefined,
  };
});
