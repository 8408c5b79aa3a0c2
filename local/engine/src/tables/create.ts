import { randomUUID } from 'node:crypto';

import type {
  IndexDefinition,
  StreamDefinition,
  StreamView,
  TableDefinition,
  Throughput,
} from '../schema/definition.ts';
import type { TableStore } from '../storage/table-store.ts';
import type { KeyAttribute, KeyAttributes, KeyType } from '../values/key.ts';

/** A key in a request. */
export type KeySchema = readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];

/** Types of attributes in a request. */
export type AttributeDefinitions = readonly { readonly AttributeName: string; readonly AttributeType: KeyType }[];

/** Capacity in a request. */
export interface ThroughputInput {
  readonly ReadCapacityUnits: number;
  readonly WriteCapacityUnits: number;
}

/** An index in a request. */
export interface IndexInput {
  readonly IndexName: string;
  readonly KeySchema: KeySchema;
  readonly Projection: {
    readonly ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
    readonly NonKeyAttributes?: readonly string[];
  };
  readonly ProvisionedThroughput?: ThroughputInput;
}

/** A stream in a request. */
export interface StreamInput {
  readonly StreamEnabled: boolean;
  readonly StreamViewType?: StreamView;
}

/** A tag in a request. */
export interface TagInput {
  readonly Key: string;
  readonly Value: string;
}

/** The input of CreateTable. */
export interface CreateTableInput {
  readonly TableName: string;
  readonly AttributeDefinitions: AttributeDefinitions;
  readonly KeySchema: KeySchema;
  readonly LocalSecondaryIndexes?: readonly IndexInput[];
  readonly GlobalSecondaryIndexes?: readonly IndexInput[];
  readonly BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST';
  readonly ProvisionedThroughput?: ThroughputInput;
  readonly StreamSpecification?: StreamInput;
  readonly SSESpecification?: Readonly<Record<string, unknown>>;
  readonly Tags?: readonly TagInput[];
  readonly TableClass?: string;
  readonly DeletionProtectionEnabled?: boolean;
}

/** The definition of a new table, from validated input. */
export function defineTable(tables: TableStore, input: CreateTableInput, now: number): TableDefinition {
  const attributes = readAttributes(input.AttributeDefinitions);
  const index = (kind: IndexDefinition['kind']) => (one: IndexInput) =>
    defineIndex(one, attributes, { id: tables.nextNumber(), kind, activeAt: now });
  return {
    id: tables.nextNumber(),
    name: input.TableName,
    uuid: randomUUID(),
    createdAt: now,
    attributes,
    keys: readKeys(input.KeySchema, attributes),
    indexes: [
      ...(input.LocalSecondaryIndexes ?? []).map(index('local')),
      ...(input.GlobalSecondaryIndexes ?? []).map(index('global')),
    ],
    onDemand: input.BillingMode === 'PAY_PER_REQUEST',
    throughput: readThroughput(input.ProvisionedThroughput),
    streams:
      input.StreamSpecification?.StreamEnabled === true ? [defineStream(tables, input.StreamSpecification, now)] : [],
    tags: Object.fromEntries((input.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
    deletionProtected: input.DeletionProtectionEnabled === true,
    ...(input.TableClass === undefined ? {} : { tableClass: input.TableClass }),
    ...(input.SSESpecification === undefined ? {} : { sse: input.SSESpecification }),
  };
}

/** The types of attributes, by name. */
export function readAttributes(definitions: AttributeDefinitions): Record<string, KeyType> {
  return Object.fromEntries(definitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
}

/** A new index. */
export function defineIndex(
  { IndexName, KeySchema, Projection, ProvisionedThroughput }: IndexInput,
  attributes: Readonly<Record<string, KeyType>>,
  more: Pick<IndexDefinition, 'id' | 'kind' | 'activeAt'>,
): IndexDefinition {
  const { ProjectionType = 'ALL', NonKeyAttributes } = Projection;
  return {
    ...more,
    name: IndexName,
    keys: readKeys(KeySchema, attributes),
    projection: { type: ProjectionType, ...(NonKeyAttributes === undefined ? {} : { nonKey: NonKeyAttributes }) },
    throughput: readThroughput(ProvisionedThroughput),
  };
}

/** A new stream; its label is its time. */
export function defineStream(tables: TableStore, { StreamViewType }: StreamInput, now: number): StreamDefinition {
  const label = new Date(now).toISOString().slice(0, -1);
  return { id: tables.nextNumber(), label, view: StreamViewType ?? 'NEW_AND_OLD_IMAGES', enabled: true };
}

/** Capacity as it is stored with a table. */
export function readThroughput(input: ThroughputInput | undefined): Throughput {
  return { read: input?.ReadCapacityUnits ?? 0, write: input?.WriteCapacityUnits ?? 0 };
}

function readKeys(schema: KeySchema, attributes: Readonly<Record<string, KeyType>>): KeyAttributes {
  const attribute = (name: string): KeyAttribute => ({ name, type: attributes[name] ?? 'S' });
  const ofKind = (kind: 'HASH' | 'RANGE') =>
    schema.filter((element) => element.KeyType === kind).map(({ AttributeName }) => attribute(AttributeName));
  const [hash = attribute(''), ...moreHash] = ofKind('HASH');
  const [range, ...moreRange] = ofKind('RANGE');
  return {
    hash,
    ...(range === undefined ? {} : { range }),
    ...(moreHash.length + moreRange.length === 0 ? {} : { more: { hash: moreHash, range: moreRange } }),
  };
}
