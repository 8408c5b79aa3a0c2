import { isDeepStrictEqual } from 'node:util';

import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  ConditionalCheckFailedException,
  type CancellationReason,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

import { unavailable } from '../errors.ts';
import { tooLarge } from './client.ts';
import { changeExpressions } from './expressions.ts';
import type { Item } from './item.ts';
import { keyOf, LostRace, type Plan, type Write } from './plan.ts';
import { refusal } from './refusal.ts';
import type { Writer } from './writer.ts';

/** Carries out a single write: one conditional request, no transaction. */
export async function putSingle(writer: Writer, write: Write): Promise<void> {
  try {
    await writer.client.send(singleCommand(writer.tableName, write) as PutCommand);
  } catch (error) {
    if (error instanceof TransactionConflictException) throw new LostRace('another request wrote to the same item');
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const existing = read(error.Item);
    // A repeat of a request whose answer was lost finds its own item.
    if (write.kind === 'insert' && (error.$metadata.attempts ?? 1) > 1 && isDeepStrictEqual(existing, write.item)) {
      return;
    }
    throw await refusal(writer.batches, write, existing);
  }
}

function singleCommand(TableName: string, write: Write): PutCommand | UpdateCommand | DeleteCommand {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  if (write.kind === 'insert') {
    return new PutCommand({ ...common, Item: write.item, ConditionExpression: 'attribute_not_exists(PK)' });
  }
  const parameters = { ...common, Key: keyOf(write), ...changeExpressions(write) };
  return write.patch.delete === true ? new DeleteCommand(parameters) : new UpdateCommand(parameters);
}

/** Carries out a handful of writes in one transaction; the first refused one names the error. */
export async function transact(writer: Writer, plan: Plan): Promise<void> {
  try {
    await writer.client.send(
      new TransactWriteCommand({ TransactItems: plan.map((write) => transactItem(writer.tableName, write)) }),
    );
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    for (const [index, reason] of reasons.entries()) {
      const write = plan[index];
      if (write !== undefined && reason.Code === 'ConditionalCheckFailed') {
        throw await refusal(writer.batches, write, read(reason.Item));
      }
    }
    if (reasons.some(({ Code }) => Code === 'TransactionConflict'))
      throw new LostRace('another request wrote to the same item');
    if (reasons.some(({ Message = '' }) => Message.includes('Item size'))) throw tooLarge(error);
    throw unavailable(error);
  }
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function transactItem(TableName: string, write: Write): TransactItem {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  if (write.kind === 'insert') {
    return { Put: { ...common, Item: write.item, ConditionExpression: 'attribute_not_exists(PK)' } };
  }
  const { UpdateExpression, ...condition } = changeExpressions(write);
  const parameters = { ...common, Key: keyOf(write), ...condition };
  return UpdateExpression === undefined ? { Delete: parameters } : { Update: { ...parameters, UpdateExpression } };
}

function read(item: CancellationReason['Item']): Item | undefined {
  return item === undefined ? undefined : (unmarshall(item) as unknown as Item);
}
