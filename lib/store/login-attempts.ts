import { randomUUID } from 'node:crypto';

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

import { unavailable } from '../errors.ts';
import type { Writer } from './batches/writer.ts';
import { type Counted, type Failures, failuresKey, type FailuresOf, toFailures } from './entities/login.ts';
import { toNatives } from './items/attribute-values.ts';
import { UpdateCommand } from './items/commands.ts';
import type { Item } from './items/item.ts';

/** A login attempt whose password has been checked. */
export interface LoginAttempt extends Counted {
  readonly isWrong: boolean;
  readonly now: number;
  /** The allowed failures within a window that begins with the first one. */
  readonly limit: { readonly failures: number; readonly windowMs: number };
}

/** How often the window may open or end while one attempt is counted. */
const maxRounds = 4;

/**
 * Counts an attempt by one conditional write, which serialises concurrent attempts. A correct password makes the same write
 * without effect, so that neither its timing nor its order differs.
 *
 * @returns The failures that block this attempt, right or wrong; undefined: it may be answered.
 * @throws DatabaseException (503).
 */
export async function countLoginAttempt(writer: Writer, attempt: LoginAttempt): Promise<Failures | undefined> {
  const id = randomUUID();
  let failures = attempt.known;
  for (let round = 0; round < maxRounds; round += 1) {
    const isOpen = failures !== undefined && failures.until > attempt.now;
    try {
      await writer.client.send(
        new UpdateCommand(isOpen ? joinWindow(writer, attempt, id) : openWindow(writer, attempt, id)),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      failures = error.Item === undefined ? undefined : toFailures(toNatives(error.Item) as unknown as Item);
    }
    if (failures !== undefined && failures.until > attempt.now && failures.count >= attempt.limit.failures) {
      return failures;
    }
  }
  throw unavailable(new Error('the window of wrong passwords opened and ended too often'));
}

/** The write while no window is open; a wrong password opens one. */
function openWindow({ tableName }: Writer, { whose, isWrong, now, limit }: LoginAttempt, id: string) {
  const until = now + limit.windowMs;
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

/** The write in an open window. The set of ids makes the count idempotent. */
function joinWindow({ tableName }: Writer, { whose, isWrong, now, limit }: LoginAttempt, id: string) {
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
