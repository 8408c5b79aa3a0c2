import { contradictionError, EngineError, validationError } from '../errors.ts';
import { suitsIndex } from '../items/check-item.ts';
import { entryOf, sizeOfEntry } from '../items/mutate.ts';
import type { Output } from '../json.ts';
import { currentStream, findIndex, type IndexDefinition, type TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import {
  type AttributeDefinitions,
  defineIndex,
  defineStream,
  type IndexInput,
  type KeySchema,
  readAttributes,
  readThroughput,
  type StreamInput,
  type ThroughputInput,
} from '../tables/create.ts';
import { describeTable } from '../tables/describe.ts';
import { isOutOfBounds } from '../validation/operations/indexes.ts';
import { parseItem } from '../values/item-text.ts';
import { listKeyAttributes } from '../values/key.ts';
import { writing } from './operation.ts';
import { requireTable } from './tables.ts';

interface IndexUpdate {
  readonly Create?: IndexInput;
  readonly Update?: { readonly IndexName: string; readonly ProvisionedThroughput?: ThroughputInput };
  readonly Delete?: { readonly IndexName: string };
}

interface UpdateTableInput {
  readonly TableName: string;
  readonly AttributeDefinitions?: AttributeDefinitions;
  readonly BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST';
  readonly ProvisionedThroughput?: ThroughputInput;
  readonly GlobalSecondaryIndexUpdates?: readonly IndexUpdate[];
  readonly StreamSpecification?: StreamInput;
  readonly SSESpecification?: Readonly<Record<string, unknown>>;
  readonly TableClass?: string;
  readonly DeletionProtectionEnabled?: boolean;
}

export const updateTable = writing(({ storage, now }, input: UpdateTableInput): Output => {
  const table = requireTable(storage, input.TableName);
  checkThroughput(table, input);
  const attributes = { ...table.attributes, ...readAttributes(input.AttributeDefinitions ?? []) };
  const indexes = updateIndexes(storage, table, input, attributes, now());
  const streams = updateStreams(storage, table, input.StreamSpecification, now());
  const used = new Set(
    [table.keys, ...indexes.map(({ keys }) => keys)].flatMap(listKeyAttributes).map(({ name }) => name),
  );
  const updated: TableDefinition = {
    ...table,
    attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => used.has(name))),
    indexes,
    streams,
    onDemand: input.BillingMode === undefined ? table.onDemand : input.BillingMode === 'PAY_PER_REQUEST',
    throughput: updatedThroughput(table, input),
    deletionProtected: input.DeletionProtectionEnabled ?? table.deletionProtected,
    ...(input.TableClass === undefined ? {} : { tableClass: input.TableClass }),
    ...(input.SSESpecification === undefined ? {} : { sse: input.SSESpecification }),
  };
  storage.tables.save(updated);
  return { TableDescription: describeTable(storage, updated, now(), 'UPDATING') };
});

function updatedThroughput(table: TableDefinition, { BillingMode, ProvisionedThroughput }: UpdateTableInput) {
  if (BillingMode === 'PAY_PER_REQUEST') return readThroughput(undefined);
  return ProvisionedThroughput === undefined ? table.throughput : readThroughput(ProvisionedThroughput);
}

function checkThroughput(table: TableDefinition, { ProvisionedThroughput, BillingMode }: UpdateTableInput): void {
  if (ProvisionedThroughput === undefined) return;
  if (table.onDemand && BillingMode !== 'PROVISIONED') {
    throw contradictionError(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  }
  const { read, write } = table.throughput;
  const { ReadCapacityUnits, WriteCapacityUnits } = ProvisionedThroughput;
  if (!table.onDemand && read === ReadCapacityUnits && write === WriteCapacityUnits) {
    throw validationError(
      'The provisioned throughput for the table will not change. The requested value equals the current value. ' +
        `Current ReadCapacityUnits provisioned for the table: ${read}. Requested ReadCapacityUnits: ${ReadCapacityUnits}. ` +
        `Current WriteCapacityUnits provisioned for the table: ${write}. Requested WriteCapacityUnits: ${WriteCapacityUnits}. ` +
        'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
    );
  }
}

function updateIndexes(
  storage: Storage,
  table: TableDefinition,
  { GlobalSecondaryIndexUpdates = [] }: UpdateTableInput,
  attributes: TableDefinition['attributes'],
  now: number,
): IndexDefinition[] {
  requireOneChange(GlobalSecondaryIndexUpdates);
  let indexes = [...table.indexes];
  for (const { Create, Update, Delete } of GlobalSecondaryIndexUpdates) {
    if (Create !== undefined) {
      requireNewName(table, Create.IndexName);
      requireKnownTypes(table, Create.KeySchema, attributes);
      const index = defineIndex(Create, attributes, { id: storage.tables.nextNumber(), kind: 'global', activeAt: now });
      fillIndex(storage, table, index);
      indexes.push(index);
    }
    if (Update !== undefined) {
      requireBounds(Update.ProvisionedThroughput);
      const index = requireIndex(table, Update.IndexName);
      const throughput = readThroughput(Update.ProvisionedThroughput);
      indexes = indexes.map((one) => (one === index ? { ...index, throughput } : one));
    }
    if (Delete !== undefined) {
      const index = requireIndex(table, Delete.IndexName);
      storage.items.deleteIndex(index.id);
      storage.totals.delete(index.id);
      indexes = indexes.filter((one) => one !== index);
    }
  }
  return indexes;
}

function requireOneChange(updates: readonly IndexUpdate[]): void {
  if (updates.filter(({ Create, Delete }) => Create !== undefined || Delete !== undefined).length <= 1) return;
  throw new EngineError(
    'LimitExceededException',
    'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
  );
}

/** AWS checks the units of an index before it looks for the index. */
function requireBounds(throughput: ThroughputInput | undefined): void {
  if (throughput === undefined || !isOutOfBounds(throughput)) return;
  throw validationError(
    'This operation cannot be performed with given input values. Please contact DynamoDB service team for more info: ' +
      'Action Blocked: IndexUpdate',
  );
}

function requireNewName(table: TableDefinition, name: string): void {
  if (findIndex(table, name) === undefined) return;
  throw contradictionError(`Attempting to create an index which already exists. Index: ${name}`);
}

/** The attributes of a new index have the types that keys of the table and its indexes give them. */
function requireKnownTypes(table: TableDefinition, schema: KeySchema, types: TableDefinition['attributes']): void {
  const redefined = schema.filter(({ AttributeName: name }) => (table.attributes[name] ?? types[name]) !== types[name]);
  if (redefined.length === 0) return;
  const describe = (of: TableDefinition['attributes']) =>
    redefined
      .map(({ AttributeName: name, KeyType }) => `SchemaElement: key{${name}:${of[name]}:${KeyType}}`)
      .join(', ');
  throw contradictionError(
    'Attributes cannot be redefined. Please check that your attribute has the ' +
      `same type as previously defined. Existing schema: Schema:[${describe(table.attributes)}] New schema: Schema:[${describe(types)}]`,
  );
}

function requireIndex(table: TableDefinition, name: string): IndexDefinition {
  const index = findIndex(table, name);
  if (index?.kind === 'global') return index;
  throw new EngineError('ResourceNotFoundException', `Requested resource not found: Index: ${name} not found`);
}

/** Adds entries for existing items; items whose attributes do not match the index get none. */
function fillIndex({ items, totals }: Storage, table: TableDefinition, index: IndexDefinition): void {
  for (const { id, key, text, size } of Array.from(items.scan(table.id))) {
    const item = parseItem(text);
    const entry = suitsIndex(item, index) ? entryOf(table, index, item, { itemKey: key, id }) : undefined;
    if (entry === undefined) continue;
    items.putEntry(entry);
    totals.add(index.id, { count: 1, size: sizeOfEntry(entry, size) });
  }
}

function updateStreams(
  storage: Storage,
  table: TableDefinition,
  wanted: StreamInput | undefined,
  now: number,
): TableDefinition['streams'] {
  if (wanted === undefined) return table.streams;
  const current = currentStream(table);
  if (wanted.StreamEnabled) {
    if (current !== undefined) {
      throw validationError('Table already has an enabled stream: TableName: ' + table.name);
    }
    return [...table.streams, defineStream(storage.tables, wanted, now)];
  }
  if (current === undefined) throw validationError('Table has no stream to disable: TableName: ' + table.name);
  return table.streams.map((stream) => (stream === current ? { ...stream, enabled: false } : stream));
}
