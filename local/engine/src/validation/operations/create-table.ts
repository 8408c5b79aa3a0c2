import { contradictionError, validationError } from '../../errors.ts';
import type { Input } from '../parameters.ts';
import {
  checkGlobalKeyOrder,
  checkKeyOrder,
  checkKeysDefined,
  checkProjection,
  checkThroughput,
  type IndexDefinition,
  type KeyElement,
  listNames,
  type Throughput,
} from './indexes.ts';
import { checkStreamSpecification, checkTags, type StreamSpecification, type Tag } from './table-settings.ts';

/** The input of a CreateTable with valid constraints. */
interface TableDefinition {
  AttributeDefinitions: ReadonlyArray<{ AttributeName: string }>;
  KeySchema: readonly KeyElement[];
  BillingMode?: string;
  ProvisionedThroughput?: Throughput;
  LocalSecondaryIndexes?: readonly IndexDefinition[];
  GlobalSecondaryIndexes?: readonly IndexDefinition[];
  StreamSpecification?: StreamSpecification;
  Tags?: readonly Tag[];
}

const maxLocalIndexes = 5;
const maxGlobalIndexes = 20;

/** Checks a CreateTable. */
export function checkCreateTable(input: Input): void {
  const table = input as unknown as TableDefinition;
  checkBilling(table);
  checkThroughput(table.ProvisionedThroughput);
  const defined = checkDefinitions(table);
  checkTableKey(table, defined);
  const names = new Set<string>();
  checkLocalIndexes(table, defined, names);
  checkGlobalIndexes(table, defined, names);
  checkDefinitionsUsed(table, defined);
  checkStreamSpecification(table.StreamSpecification);
  if (table.Tags !== undefined) checkTags(table.Tags);
}

function checkBilling({ BillingMode, ProvisionedThroughput }: TableDefinition): void {
  if (BillingMode !== 'PAY_PER_REQUEST' && ProvisionedThroughput === undefined) {
    throw contradictionError(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    );
  }
  if (BillingMode === 'PAY_PER_REQUEST' && ProvisionedThroughput !== undefined) {
    throw contradictionError(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  }
}

function checkDefinitions({ AttributeDefinitions }: TableDefinition): ReadonlySet<string> {
  const defined = new Set<string>();
  for (const { AttributeName } of AttributeDefinitions) {
    if (defined.has(AttributeName))
      throw contradictionError(`Duplicate AttributeName in AttributeDefinitions: ${AttributeName}`);
    defined.add(AttributeName);
  }
  return defined;
}

function checkTableKey({ KeySchema }: TableDefinition, defined: ReadonlySet<string>): void {
  if (defined.size < KeySchema.length) {
    throw validationError('Invalid KeySchema: Some index key attribute have no definition');
  }
  checkKeysDefined(KeySchema, defined);
  checkKeyOrder(KeySchema);
}

function checkLocalIndexes(
  { KeySchema, LocalSecondaryIndexes }: TableDefinition,
  defined: ReadonlySet<string>,
  names: Set<string>,
): void {
  if (LocalSecondaryIndexes === undefined) return;
  if (LocalSecondaryIndexes.length === 0) throw contradictionError('List of LocalSecondaryIndexes is empty');
  const [hash, range] = KeySchema;
  if (range === undefined) {
    throw contradictionError(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    );
  }
  for (const index of LocalSecondaryIndexes) {
    checkKeysDefined(index.KeySchema, defined);
    checkKeyOrder(index.KeySchema);
    const [indexHash, indexRange] = index.KeySchema;
    if (indexRange === undefined) {
      throw contradictionError(`Index KeySchema does not have a range key for index: ${index.IndexName}`);
    }
    if (indexHash?.AttributeName !== hash?.AttributeName) {
      throw contradictionError(
        `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${index.IndexName}. ` +
          `index hash key: ${indexHash?.AttributeName}, table hash key: ${hash?.AttributeName}`,
      );
    }
    checkProjection(index);
    addName(index, names);
  }
  if (LocalSecondaryIndexes.length > maxLocalIndexes) {
    throw contradictionError(`Number of LocalSecondaryIndexes exceeds per-table limit of ${maxLocalIndexes}`);
  }
}

function checkGlobalIndexes(
  { BillingMode, GlobalSecondaryIndexes }: TableDefinition,
  defined: ReadonlySet<string>,
  names: Set<string>,
): void {
  if (GlobalSecondaryIndexes === undefined) return;
  if (GlobalSecondaryIndexes.length === 0) throw contradictionError('List of GlobalSecondaryIndexes is empty');
  for (const index of GlobalSecondaryIndexes) {
    checkKeysDefined(index.KeySchema, defined);
    checkGlobalKeyOrder(index.KeySchema);
    checkProjection(index);
    addName(index, names);
    checkIndexBilling(index, BillingMode);
  }
  if (GlobalSecondaryIndexes.length > maxGlobalIndexes) {
    throw contradictionError(`GlobalSecondaryIndex count exceeds the per-table limit of ${maxGlobalIndexes}`);
  }
}

function checkIndexBilling({ IndexName, ProvisionedThroughput }: IndexDefinition, billingMode = 'PROVISIONED'): void {
  if (billingMode === 'PAY_PER_REQUEST' && ProvisionedThroughput !== undefined) {
    throw contradictionError(
      `ProvisionedThroughput should not be specified for index: ${IndexName} when BillingMode is PAY_PER_REQUEST`,
    );
  }
  if (billingMode === 'PROVISIONED' && ProvisionedThroughput === undefined) {
    throw contradictionError(
      `ProvisionedThroughput must be specified for index: ${IndexName} when BillingMode is PROVISIONED`,
    );
  }
  checkThroughput(ProvisionedThroughput, IndexName);
}

function addName({ IndexName }: IndexDefinition, names: Set<string>): void {
  if (names.has(IndexName)) throw contradictionError(`Duplicate index name: ${IndexName}`);
  names.add(IndexName);
}

function checkDefinitionsUsed(table: TableDefinition, defined: ReadonlySet<string>): void {
  const indexes = [...(table.LocalSecondaryIndexes ?? []), ...(table.GlobalSecondaryIndexes ?? [])];
  const used = new Set(
    [table, ...indexes].flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName)),
  );
  if (used.size === defined.size) return;
  throw contradictionError(
    indexes.length === 0
      ? 'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions'
      : `Some AttributeDefinitions are not used. AttributeDefinitions: ${listNames(defined)}, keys used: ${listNames(used)}`,
  );
}
