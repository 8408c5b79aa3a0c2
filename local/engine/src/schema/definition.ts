import type { Item } from '../values/attribute-value.ts';
import { type KeyAttributes, type KeyType, listKeyAttributes } from '../values/key.ts';

/** Provisioned capacity of a table or an index; zeros if it is on demand. */
export interface Throughput {
  readonly read: number;
  readonly write: number;
}

/** The attributes that an index contains besides the keys. */
export interface Projection {
  readonly type: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  readonly nonKey?: readonly string[];
}

/** A secondary index. */
export interface IndexDefinition {
  /** Number of the index in the database. */
  readonly id: number;
  readonly name: string;
  readonly kind: 'global' | 'local';
  readonly keys: KeyAttributes;
  readonly projection: Projection;
  readonly throughput: Throughput;
  /** When it became readable, in milliseconds since 1970. */
  readonly activeAt: number;
}

/** The images in the records of a stream. */
export type StreamView = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

/** A stream of a table; it stays readable after it was disabled. */
export interface StreamDefinition {
  /** Number of the stream in the database. */
  readonly id: number;
  readonly label: string;
  readonly view: StreamView;
  readonly enabled: boolean;
}

/** A table. */
export interface TableDefinition {
  /** Number of the table in the database. */
  readonly id: number;
  readonly name: string;
  readonly uuid: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly attributes: Readonly<Record<string, KeyType>>;
  readonly keys: KeyAttributes;
  readonly indexes: readonly IndexDefinition[];
  readonly onDemand: boolean;
  readonly throughput: Throughput;
  readonly streams: readonly StreamDefinition[];
  /** The attribute with the expiry time, in seconds since 1970. */
  readonly ttlAttribute?: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly deletionProtected: boolean;
  readonly tableClass?: string;
  readonly sse?: Readonly<Record<string, unknown>>;
}

/** The stream that records changes of a table, if there is one. */
export function currentStream({ streams }: TableDefinition): StreamDefinition | undefined {
  return streams.find(({ enabled }) => enabled);
}

/** The index of a name. */
export function findIndex({ indexes }: TableDefinition, name: string): IndexDefinition | undefined {
  return indexes.find((index) => index.name === name);
}

/** The part of an item that an index projects; always with the keys of index and table. */
export function projectItem(item: Item, table: TableDefinition, { keys, projection }: IndexDefinition): Item {
  if (projection.type === 'ALL') return item;
  const shown: Item = {};
  const names = [
    ...listKeyAttributes(table.keys).map(({ name }) => name),
    ...listKeyAttributes(keys).map(({ name }) => name),
    ...(projection.nonKey ?? []),
  ];
  for (const name of names) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

/** Region and account in resource names. */
const place = 'us-east-1:000000000000';

/** The Amazon Resource Name of a table. */
export function arnOfTable(name: string): string {
  return `arn:aws:dynamodb:${place}:table/${name}`;
}

/** The Amazon Resource Name of a stream. */
export function arnOfStream(tableName: string, { label }: StreamDefinition): string {
  return `${arnOfTable(tableName)}/stream/${label}`;
}

/** The name of a table from its name or its ARN. */
export function tableNameOf(nameOrArn: string): string {
  return /^arn:[^:]*:dynamodb:[^:]*:[^:]*:table\/([^/]+)$/.exec(nameOrArn)?.[1] ?? nameOrArn;
}
