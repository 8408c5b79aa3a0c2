import { randomUUID } from 'node:crypto';

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

import { unavailable } from '../errors.ts';
import type { Writer } from './batches/writer.ts';
import { type Failures, failuresKey, type FailuresOf, toFailures } from './entities/login.ts';
import type { Item } from './items/item.ts';

/** A password that has been checked, and what its answer depends on. */
export interface Attempt {
  readonly whose: FailuresOf;
  readonly isWrong: boolean;
  readonly now: number;
  /** What was counted when the attempt began; undefined: nothing. */
  readonly known: Failures | undefined;
  /** So many wrong ones, within a window of so many milliseconds that begins with the first. */
  readonly limit: { readonly failures: number; readonly window: number };
}

/** How often the window may open or end while one attempt is counted. */
const rounds = 4;

/**
 * Counts an attempt in one conditional write, by which all that run at the same time take effect one after the other. One
 * that is right does the same and changes nothing, so that neither its time nor its place in the order is another.
 *
 * @returns The failures that close the door to this attempt, right or wrong; undefined: it may be answered.
 * @throws DatabaseException (503).
 */
export async function countAttempt(writer: Writer, attempt: Attempt): Promise<Failures | undefined> {
  const id = randomUUID();
  let failures = attempt.known;
  for (let round = 0; round < rounds; round += 1) {
    const isOpen = failures !== undefined && failures.until > attempt.now;
    try {
      await writer.client.send(new UpdateCommand(isOpen ? join(writer, attempt, id) : open(writer, attempt, id)));
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      failures = error.Item === undefined ? undefined : toFailures(unmarshall(error.Item) as unknown as Item);
    }
    if (failures !== undefined && failures.until > attempt.now && failures.count >= attempt.limit.failures) {
      return failures;
    }
  }
  throw unavailable(new Error('the window of wrong passwords opened and ended too often'));
}

/** The write while no window is open; a wrong password opens one. */
function open({ tableName }: Writer, { whose, isWrong, now, limit }: Attempt, id: string) {
  const until = now + limit.window;
  return {
    ...parametersOf(tableName, whose),
    ConditionExpression: 'attribute_not_exists(#until) OR #until <= :now',
    UpdateExpression: isWrong ? 'SET #until = :until, wrong = :id, #ttl = :ttl' : 'SET #ttl = :ttl',
    ExpressionAttributeNames: { '#until': 'until', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':now': now,
      ':ttl': Math.ceil(until / 1000),
      ...(isWrong ? { ':until': until, ':id': new Set([id]) } : {}),
    },
  };
}

/** The write in an open window. The set of ids counts a wrong password once, also when its write is repeated. */
function join({ tableName }: Writer, { whose, isWrong, now, limit }: Attempt, id: string) {
  return {
    ...parametersOf(tableName, whose),
    ConditionExpression:
      '#until > :now AND (attribute_not_exists(wrong) OR size(wrong) < :limit OR contains(wrong, :text))',
    UpdateExpression: isWrong ? 'ADD wrong :id' : 'SET #until = #until',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: {
      ':now': now,
      ':limit': limit.failures,
      ':text': id,
      ...(isWrong ? { ':id': new Set([id]) } : {}),
    },
  };
}

function parametersOf(TableName: string, whose: FailuresOf) {
  return { TableName, Key: failuresKey(whose), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
}
