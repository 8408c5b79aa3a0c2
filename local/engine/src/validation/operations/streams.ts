import { validationError } from '../../errors.ts';
import type { Input } from '../parameters.ts';

const streamArn = /^arn:[^:]*:dynamodb:[^:]*:[^:]*:table\/[^/]+\/stream\/.+$/;

/** Checks a ListStreams. */
export function checkListStreams({ ExclusiveStartStreamArn }: Input): void {
  if (ExclusiveStartStreamArn !== undefined) checkStreamArn(ExclusiveStartStreamArn as string);
}

/** Checks a DescribeStream. */
export function checkDescribeStream({ StreamArn }: Input): void {
  checkStreamArn(StreamArn as string);
}

/** Checks a GetShardIterator. */
export function checkGetShardIterator({ StreamArn, ShardIteratorType, SequenceNumber }: Input): void {
  checkStreamArn(StreamArn as string);
  const takesNumber = ShardIteratorType === 'AT_SEQUENCE_NUMBER' || ShardIteratorType === 'AFTER_SEQUENCE_NUMBER';
  if (takesNumber && SequenceNumber === undefined) {
    throw validationError(`SequenceNumber must be specified when ShardIteratorType is ${ShardIteratorType}`);
  }
  if (!takesNumber && SequenceNumber !== undefined) {
    throw validationError(
      `SequenceNumber must not be specified when ShardIteratorType is ${ShardIteratorType as string}`,
    );
  }
  if (SequenceNumber !== undefined && !/^\d+$/.test(SequenceNumber as string)) {
    throw validationError(`Invalid SequenceNumber: ${SequenceNumber as string}`);
  }
}

function checkStreamArn(arn: string): void {
  if (!streamArn.test(arn)) throw validationError(`Invalid StreamArn: ${arn}`);
}
