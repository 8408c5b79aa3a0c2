import { resourceName } from './common.ts';
import { integer, oneOf, required, structure, type StructureShape, text } from './shape.ts';

const streamArn = text({ least: 37, most: 1024 });
const shardId = text({ least: 28, most: 65 });

/** The inputs of operations on streams. */
export const streamShapes: Readonly<Record<string, StructureShape>> = {
  ListStreams: structure('ListStreamsInput', {
    ExclusiveStartStreamArn: streamArn,
    TableName: resourceName,
    Limit: integer({ least: 1, most: 100 }),
  }),
  DescribeStream: structure('DescribeStreamInput', {
    StreamArn: required(streamArn),
    ExclusiveStartShardId: shardId,
    Limit: integer({ least: 1, most: 100 }),
    ShardFilter: structure('ShardFilter', { Type: required(oneOf('CHILD_SHARDS')), ShardId: required(shardId) }),
  }),
  GetShardIterator: structure('GetShardIteratorInput', {
    ShardId: required(shardId),
    StreamArn: required(streamArn),
    ShardIteratorType: required(oneOf('AFTER_SEQUENCE_NUMBER', 'LATEST', 'AT_SEQUENCE_NUMBER', 'TRIM_HORIZON')),
    SequenceNumber: text({ least: 21, most: 40 }),
  }),
  GetRecords: structure('GetRecordsInput', {
    ShardIterator: required(text({ least: 1, most: 2048 })),
    Limit: integer({ least: 1, most: 1000 }),
  }),
};
