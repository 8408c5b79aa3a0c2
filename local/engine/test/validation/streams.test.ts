import { describe, expect, test } from 'vitest';

import { refusal } from './refusals.ts';

const StreamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2026-01-01T00:00:00.000';
const ShardId = 'shardId-00000000000000000000-00000000';

describe('streams', () => {
  test.each([
    ['ListStreams', { Limit: 0 }],
    ['ListStreams', { Limit: 101 }],
    ['ListStreams', { ExclusiveStartStreamArn: 'a'.repeat(40) }],
    ['DescribeStream', {}],
    ['DescribeStream', { StreamArn: 'a'.repeat(40) }],
    ['DescribeStream', { StreamArn, ShardFilter: { ShardId, Type: 'foo' } }],
    ['DescribeStream', { StreamArn, ShardFilter: { ShardId } }],
    ['DescribeStream', { StreamArn, ShardFilter: { Type: 'CHILD_SHARDS' } }],
    ['GetShardIterator', { StreamArn, ShardId }],
    ['GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'bulle' }],
    ['GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'AT_SEQUENCE_NUMBER' }],
    ['GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'LATEST', SequenceNumber: '1'.repeat(21) }],
    [
      'GetShardIterator',
      { StreamArn, ShardId, ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: 'x'.repeat(21) },
    ],
    ['GetRecords', {}],
    ['GetRecords', { ShardIterator: 'a', Limit: 1001 }],
  ])('%s refuses %j', (operation, input) => {
    expect(refusal(operation, input)).toMatch(/^ValidationException/);
  });

  test('the path of a shard in a filter', () => {
    expect(refusal('DescribeStream', { StreamArn, ShardFilter: { ShardId: 'qwerty', Type: 'CHILD_SHARDS' } })).toMatch(
      "'shardFilter.shardId'",
    );
  });

  test.each([
    ['DescribeStream', { StreamArn, Limit: 100, ShardFilter: { ShardId, Type: 'CHILD_SHARDS' } }],
    ['GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }],
    [
      'GetShardIterator',
      { StreamArn, ShardId, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: '1'.repeat(21) },
    ],
    ['GetRecords', { ShardIterator: 'a', Limit: 1000 }],
  ])('%s accepts %j', (operation, input) => {
    expect(refusal(operation, input)).toBe('accepted');
  });
});
