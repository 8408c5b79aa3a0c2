import { EngineError, validationError } from '../errors.ts';
import { type Output, RawJson } from '../json.ts';
import { arnOfStream } from '../schema/definition.ts';
import type { RecordRange } from '../storage/record-store.ts';
import type { Storage } from '../storage/storage.ts';
import {
  describeStreamOf,
  firstSequence,
  type FoundStream,
  listAllStreams,
  parseSequence,
  printRecord,
  shardOf,
} from '../streams/describe-stream.ts';
import { parseIterator, printIterator } from '../streams/iterator.ts';
import type { RecentRecords } from '../streams/recent-records.ts';
import type { GetRecordsInput, RecordsPage } from '../transport.ts';
import { type Context, reading } from './operation.ts';

interface ListStreamsInput {
  readonly TableName?: string;
  readonly Limit?: number;
  readonly ExclusiveStartStreamArn?: string;
}

interface DescribeStreamInput {
  readonly StreamArn: string;
  readonly ExclusiveStartShardId?: string;
  readonly ShardFilter?: { readonly Type?: string; readonly ShardId?: string };
}

interface GetShardIteratorInput {
  readonly StreamArn: string;
  readonly ShardId: string;
  readonly ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AT_SEQUENCE_NUMBER' | 'AFTER_SEQUENCE_NUMBER';
  readonly SequenceNumber?: string;
}

const streamsPerPage = 100;
const recordsPerPage = 1_000;
const maxPageBytes = 2 ** 20;

export const listStreams = reading(({ storage }, input: ListStreamsInput): Output => {
  const { ExclusiveStartStreamArn: after } = input;
  const streams = listAllStreams(storage).filter(
    ({ table, arn }) =>
      (input.TableName === undefined || table.name === input.TableName) && (after === undefined || arn > after),
  );
  const page = streams.slice(0, input.Limit ?? streamsPerPage);
  return {
    Streams: page.map(({ table, stream, arn }) => ({
      StreamArn: arn,
      StreamLabel: stream.label,
      TableName: table.name,
    })),
    LastEvaluatedStreamArn: page.length < streams.length ? page.at(-1)?.arn : undefined,
  };
});

export const describeStream = reading(({ storage }, input: DescribeStreamInput): Output => {
  const found = findStream(storage, input.StreamArn);
  // The only shard has neither parent nor children.
  const withShard = input.ExclusiveStartShardId === undefined && input.ShardFilter === undefined;
  return { StreamDescription: describeStreamOf(storage.records, found, withShard) };
});

export const getShardIterator = reading(({ storage, now }, input: GetShardIteratorInput): Output => {
  const { stream, arn } = findStream(storage, input.StreamArn);
  if (input.ShardId !== shardOf(stream)) {
    throw new EngineError(
      'ResourceNotFoundException',
      `Requested resource not found: Shard: ${input.ShardId} not found`,
    );
  }
  const after = placeOf(storage, input, firstSequence(stream));
  return { ShardIterator: printIterator({ arn, after, madeAt: now() }) };
});

function placeOf({ records }: Storage, input: GetShardIteratorInput, first: number): number {
  if (input.ShardIteratorType === 'TRIM_HORIZON') return 0;
  if (input.ShardIteratorType === 'LATEST') return records.last;
  const sequence = parseSequence(input.SequenceNumber ?? '');
  if (Number.isNaN(sequence) || sequence < first) throw validationError('Invalid SequenceNumber');
  return input.ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? sequence - 1 : sequence;
}

/** Answers the records at an iterator: as many as asked for, and at most a MB. */
export const getRecords = reading((context, { ShardIterator, Limit }: GetRecordsInput): Output => {
  const place = locate(context, ShardIterator);
  const { records, end } = readAfter(context, place, Limit);
  return {
    Records: new RawJson(`[${records.map((record) => printRecord(record, place.table, place.stream.view)).join(',')}]`),
    NextShardIterator: nextOf(context, place, end),
  };
});

/**
 * The same for a reader in this process.
 *
 * @param recent Keeps the page for other readers.
 */
export function readSharedRecords(
  context: Context,
  { ShardIterator, Limit }: GetRecordsInput,
  recent: RecentRecords,
): RecordsPage {
  const place = locate(context, ShardIterator);
  const { stream, after } = place;
  const { records, end } =
    recent.find(stream.id, after, Limit) ?? recent.keep(place, after, readAfter(context, place, Limit));
  const next = nextOf(context, place, end);
  return { Records: records, ...(next === undefined ? {} : { NextShardIterator: next }) };
}

/** A stream, and the sequence number after which it is read. */
interface StreamPlace extends FoundStream {
  readonly after: number;
}

function locate({ storage, now }: Context, iterator: string): StreamPlace {
  const { arn, after } = parseIterator(iterator, now());
  return { ...findStream(storage, arn), after };
}

function readAfter({ storage }: Context, { stream, after }: StreamPlace, limit = recordsPerPage): RecordRange {
  const { records, end } = storage.records.read(stream.id, after, limit);
  let bytes = 0;
  const fitting = records.filter(({ size }, at) => at === 0 || (bytes += size) <= maxPageBytes);
  return { records: fitting, end: fitting.length < records.length ? (fitting.at(-1)?.sequence ?? after) : end };
}

/** The iterator after what was read; undefined at the end of a shard that gets no more records. */
function nextOf({ storage, now }: Context, { stream, arn }: StreamPlace, end: number): string | undefined {
  const isEnd = !stream.enabled && end >= (storage.records.lastOf(stream.id) ?? 0);
  return isEnd ? undefined : printIterator({ arn, after: end, madeAt: now() });
}

function findStream(storage: Storage, arn: string): FoundStream {
  const table = storage.tables.find(arn.slice(0, Math.max(0, arn.lastIndexOf('/stream/'))));
  const stream = table?.streams.find((candidate) => arnOfStream(table.name, candidate) === arn);
  if (table === undefined || stream === undefined) {
    throw new EngineError('ResourceNotFoundException', `Requested resource not found: Stream: ${arn} not found`);
  }
  return { table, stream, arn };
}
