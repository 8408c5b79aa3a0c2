import {
  arnOfStream,
  arnOfTable,
  currentStream,
  type IndexDefinition,
  type TableDefinition,
  type Throughput,
} from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import { type KeyAttributes, listHashAttributes, listRangeAttributes } from '../values/key.ts';

/** The state of a table that the request changed; otherwise it is active. */
export type TableStatus = 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';

/** A description in the form of DescribeTable. */
export type Description = Readonly<Record<string, unknown>>;

/** Seconds since 1970, as in answers. */
export const toSeconds = (milliseconds: number) => milliseconds / 1000;

/** Describes a table. */
export function describeTable(
  storage: Storage,
  table: TableDefinition,
  now: number,
  status: TableStatus = 'ACTIVE',
): Description {
  const isNew = status === 'CREATING' || status === 'DELETING';
  const { count, size } = isNew ? { count: 0, size: 0 } : storage.totals.get(table.id);
  const indexes = (kind: IndexDefinition['kind']) => {
    const found = table.indexes.filter((index) => index.kind === kind);
    return found.length === 0 ? undefined : found.map((index) => describeIndex(storage, table, index, now, status));
  };
  const isDeleting = status === 'DELETING';
  return {
    AttributeDefinitions: isDeleting ? undefined : describeAttributes(table),
    TableName: table.name,
    KeySchema: isDeleting ? undefined : describeKeys(table.keys),
    TableStatus: status,
    CreationDateTime: isDeleting ? undefined : toSeconds(table.createdAt),
    ProvisionedThroughput: describeThroughput(table.throughput),
    TableSizeBytes: size,
    ItemCount: count,
    TableArn: arnOfTable(table.name),
    TableId: table.uuid,
    ...describeBilling(table, status),
    LocalSecondaryIndexes: isDeleting ? undefined : indexes('local'),
    GlobalSecondaryIndexes: isDeleting ? undefined : indexes('global'),
    ...describeStreams(table),
    SSEDescription: describeEncryption(table),
    TableClassSummary: table.tableClass === undefined ? undefined : { TableClass: table.tableClass },
    DeletionProtectionEnabled: status === 'CREATING' && !table.deletionProtected ? undefined : table.deletionProtected,
  };
}

/** A table that is being created has no time of its billing mode yet. */
function describeBilling({ onDemand, createdAt }: TableDefinition, status: TableStatus): Description {
  if (!onDemand) return {};
  const since = status === 'CREATING' ? {} : { LastUpdateToPayPerRequestDateTime: toSeconds(createdAt) };
  return {
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', ...since },
    TableThroughputModeSummary: { TableThroughputMode: 'PAY_PER_REQUEST', ...since },
  };
}

function describeEncryption({ sse }: TableDefinition): Description | undefined {
  if (sse?.['Enabled'] !== true) return undefined;
  return {
    Status: 'ENABLED',
    SSEType: 'KMS',
    ...(sse['KMSMasterKeyId'] === undefined ? {} : { KMSMasterKeyArn: sse['KMSMasterKeyId'] }),
  };
}

function describeStreams(table: TableDefinition): Description {
  const latest = table.streams.at(-1);
  const current = currentStream(table);
  if (latest === undefined) return {};
  return {
    ...(current === undefined ? {} : { StreamSpecification: { StreamEnabled: true, StreamViewType: current.view } }),
    LatestStreamLabel: latest.label,
    LatestStreamArn: arnOfStream(table.name, latest),
  };
}

function describeAttributes({ attributes }: TableDefinition): Description[] {
  return Object.entries(attributes).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

/** A key in the notation of descriptions and requests. */
export function describeKeys(keys: KeyAttributes): Description[] {
  return [
    ...listHashAttributes(keys).map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' })),
    ...listRangeAttributes(keys).map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' })),
  ];
}

function describeThroughput({ read, write }: Throughput): Description {
  return { NumberOfDecreasesToday: 0, ReadCapacityUnits: read, WriteCapacityUnits: write };
}

function describeIndex(
  storage: Storage,
  table: TableDefinition,
  index: IndexDefinition,
  now: number,
  status: TableStatus,
): Description {
  const { count, size } = status === 'CREATING' ? { count: 0, size: 0 } : storage.totals.get(index.id);
  const { type, nonKey } = index.projection;
  const description = {
    IndexName: index.name,
    KeySchema: describeKeys(index.keys),
    Projection: { ProjectionType: type, ...(nonKey === undefined ? {} : { NonKeyAttributes: nonKey }) },
    IndexSizeBytes: size,
    ItemCount: count,
    IndexArn: `${arnOfTable(table.name)}/index/${index.name}`,
  };
  if (index.kind === 'local') return description;
  return {
    ...description,
    IndexStatus: status === 'CREATING' || index.activeAt > now ? 'CREATING' : 'ACTIVE',
    ProvisionedThroughput: describeThroughput(index.throughput),
    ...(status !== 'CREATING' && index.activeAt > now ? { Backfilling: true } : {}),
  };
}
