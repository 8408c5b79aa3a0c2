import { arnOfStream, type StreamDefinition, type TableDefinition } from '../schema/definition.ts';
import type { RecordStore, StoredRecord } from '../storage/record-store.ts';
import type { Storage } from '../storage/storage.ts';
import { describeKeys, toSeconds, type Description } from '../tables/describe.ts';
import type { Item } from '../values/attribute-value.ts';
import { parseItem, readFirstTexts, showItemText } from '../values/item-text.ts';
import { parseNamed } from '../values/json-names.ts';
import { type KeyAttributes, listKeyAttributes, pickKey } from '../values/key.ts';

/** A stream with its table. */
export interface FoundStream {
  readonly table: TableDefinition;
  readonly stream: StreamDefinition;
  readonly arn: string;
}

/** All streams of all tables, by their ARNs. */
export function listAllStreams({ tables }: Storage): FoundStream[] {
  return tables
    .list()
    .flatMap((table) => table.streams.map((stream) => ({ table, stream, arn: arnOfStream(table.name, stream) })))
    .sort((left, right) => (left.arn < right.arn ? -1 : 1));
}

/** A sequence number in an answer: texts of one length that sort like the numbers. */
export function printSequence(sequence: number): string {
  return `1${String(sequence).padStart(20, '0')}`;
}

/** Parses a sequence number; NaN if it is invalid. */
export function parseSequence(text: string): number {
  return /^1\d{20}$/.test(text) ? Number(text.slice(1)) : Number.NaN;
}

/** The first sequence number of a stream: its label is the time at which it was enabled. */
export function firstSequence({ label }: StreamDefinition): number {
  return Date.parse(`${label}Z`) * 1_000;
}

/** The only shard of a stream. */
export function shardOf({ id, label }: StreamDefinition): string {
  return `shardId-${String(Date.parse(`${label}Z`)).padStart(20, '0')}-${id.toString(16).padStart(8, '0')}`;
}

/** Describes a stream. */
export function describeStreamOf(
  records: RecordStore,
  { table, stream, arn }: FoundStream,
  withShard: boolean,
): Description {
  const last = records.lastOf(stream.id) ?? firstSequence(stream);
  const shard = {
    ShardId: shardOf(stream),
    SequenceNumberRange: {
      StartingSequenceNumber: printSequence(firstSequence(stream)),
      ...(stream.enabled ? {} : { EndingSequenceNumber: printSequence(last) }),
    },
  };
  return {
    StreamArn: arn,
    StreamLabel: stream.label,
    StreamStatus: stream.enabled ? 'ENABLED' : 'DISABLED',
    StreamViewType: stream.view,
    CreationRequestDateTime: toSeconds(Date.parse(`${stream.label}Z`)),
    TableName: table.name,
    KeySchema: describeKeys(table.keys),
    Shards: withShard ? [shard] : [],
  };
}

/** The key of the item that a record is about. */
export function keysOfRecord(record: StoredRecord, attributes: KeyAttributes): Item {
  if (record.keys !== null) return parseNamed(record.keys) as Item;
  const image = record.new ?? record.old;
  if (image === null) throw new Error('a record with neither keys nor an image');
  const names = listKeyAttributes(attributes).map(({ name }) => name);
  return readFirstTexts(image, names) ?? pickKey(parseItem(image), attributes);
}

/** JSON text of a record, for GetRecords and for Lambda. */
export function printRecord(record: StoredRecord, table: TableDefinition, view: StreamDefinition['view']): string {
  const images =
    (record.new === null ? '' : `"NewImage":${showItemText(record.new)},`) +
    (record.old === null ? '' : `"OldImage":${showItemText(record.old)},`);
  const sequence = printSequence(record.sequence);
  const identity = record.expired ? ',"userIdentity":{"Type":"Service","PrincipalId":"dynamodb.amazonaws.com"}' : '';
  return (
    `{"eventID":"${sequence}","eventName":"${record.event}","eventVersion":"1.1","eventSource":"aws:dynamodb",` +
    `"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":${Math.floor(toSeconds(record.at))},` +
    `"Keys":${JSON.stringify(keysOfRecord(record, table.keys))},${images}"SequenceNumber":"${sequence}","SizeBytes":${record.size},` +
    `"StreamViewType":"${view}"}${identity}}`
  );
}
