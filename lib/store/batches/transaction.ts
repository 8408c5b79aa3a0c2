import { randomBytes } from 'node:crypto';

import {
  ConditionalCheckFailedException,
  type CancellationReason,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';

import { RucioError, unavailable } from '../../errors.ts';
import { retry } from '../../retry.ts';
import { toNatives } from '../items/attribute-values.ts';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '../items/commands.ts';
import { changeExpressions, checkExpressions } from '../items/expressions.ts';
import { ItemTooLarge } from '../items/item-too-large.ts';
import type { Item } from '../items/item.ts';
import { Contended, keyOf, type Plan, type StagedWrite, type Write } from '../items/plan.ts';
import { wasUncertain } from '../items/uncertain-attempts.ts';
import { textOfKey } from '../keys/key-parts.ts';
import { makeRefusalError } from './refusal.ts';
import type { Writer } from './writer.ts';

/**
 * Makes a single write: one conditional request, no transaction. The write leaves its id on the item. When the SDK repeats it
 * after a lost answer, the condition fails on its own effect, which the id reveals. If another write has replaced the id, it
 * is unknown whether the first attempt took effect. An item without room for the id is changed by a transaction.
 *
 * @throws The error of a refused write, LostRace, or DatabaseException (503).
 */
export async function putSingle(writer: Writer, write: StagedWrite): Promise<void> {
  const id = randomBytes(6).toString('base64url');
  try {
    await writer.client.send(singleCommand(writer.tableName, write, id));
  } catch (error) {
    if (error instanceof TransactionConflictException) {
      throw new Contended('another request wrote to the same item').at(keyOf(write));
    }
    if (error instanceof ItemTooLarge) {
      if (write.kind !== 'change') throw error.at(keyOf(write));
      // A transaction leaves no id: it might make a change a second time.
      if (wasUncertain(error)) throw unavailable(error);
      return transact(writer, [write]);
    }
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const existing = read(error.Item);
    if (wasUncertain(error)) {
      if (isDone(write, existing, id)) return;
      // Another single write has left its id since the first attempt, or long ago.
      if (existing?.writeId !== undefined) throw unavailable(error);
    }
    throw await makeRefusalError(writer.batches, write, existing);
  }
}

/** Whether an item is as a write leaves it. */
function isDone(write: Write, existing: Item | undefined, id: string): boolean {
  return isDeletion(write) ? existing === undefined : existing?.writeId === id;
}

const isDeletion = (write: Write) => write.kind === 'change' && write.patch.delete === true;

function singleCommand(
  TableName: string,
  write: StagedWrite,
  writeId: string,
): PutCommand | UpdateCommand | DeleteCommand {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  if (write.kind === 'insert') {
    const Item = { ...write.item, writeId };
    return new PutCommand({ ...common, Item, ConditionExpression: 'attribute_not_exists(PK)' });
  }
  if (isDeletion(write)) return new DeleteCommand({ ...common, Key: keyOf(write), ...changeExpressions(write) });
  const patch = { ...write.patch, set: { ...write.patch.set, writeId } };
  return new UpdateCommand({ ...common, Key: keyOf(write), ...changeExpressions({ ...write, patch }) });
}

/** The most items of a transaction. */
export const maxTransactionItems = 100;

/** Transient reasons: a conflict with another writer, or throttling. */
const transientReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * Makes writes in one transaction; the first one whose condition fails determines the error.
 *
 * @param record Further items of the transaction.
 * @throws The error of a refused write, {@link Contended}, or DatabaseException (503).
 */
export async function transact(writer: Writer, plan: Plan, record: readonly TransactItem[] = []): Promise<void> {
  requireDistinct(plan);
  const items = plan.map((write) => transactItem(writer.tableName, write));
  try {
    await send(writer, [...items, ...record]);
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    for (const [index, reason] of reasons.entries()) {
      const write = plan[index];
      if (write !== undefined && reason.Code === 'ConditionalCheckFailed') {
        throw await makeRefusalError(writer.batches, write, read(reason.Item));
      }
    }
    const large = reasons.findIndex(({ Message = '' }) => Message.includes('Item size'));
    const tooLarge = plan[large];
    if (tooLarge !== undefined) throw new ItemTooLarge(error, keyOf(tooLarge));
    if (large !== -1) throw new ItemTooLarge(error);
    const codes = reasons.map(({ Code = 'None' }) => Code).filter((code) => code !== 'None');
    if (codes.some((code) => transientReasons.has(code))) {
      const met = plan[reasons.findIndex(({ Code = '' }) => transientReasons.has(Code))];
      const contended = new Contended(`a transaction met ${codes.join(', ')}`);
      throw met === undefined ? contended : contended.at(keyOf(met));
    }
    throw unavailable(error);
  }
}

/** How often a transaction is sent while it is unknown whether it took effect. */
const policy = { attempts: 6, firstPauseMs: 40, longestPauseMs: 640 };

/**
 * Sends a transaction with an idempotency token. If a repeat after a lost answer meets a conflict, it does not tell whether
 * the first request took effect, so it is repeated until it does.
 *
 * @throws DatabaseException (503) when that stays unknown.
 */
async function send(writer: Writer, TransactItems: TransactItem[]): Promise<void> {
  const ClientRequestToken = randomBytes(16).toString('hex');
  let isUncertain = false;
  const isUnknown = (error: unknown) => {
    if (!(error instanceof TransactionCanceledException)) return false;
    isUncertain ||= wasUncertain(error);
    return isUncertain && isTransient(error);
  };
  const sendOnce = () => writer.client.send(new TransactWriteCommand({ ClientRequestToken, TransactItems }));
  await retry(sendOnce, policy, isUnknown).catch((error: unknown) => {
    throw isUnknown(error) ? unavailable(error) : error;
  });
}

/** Whether all reasons of a cancelled transaction are transient. */
function isTransient({ CancellationReasons = [] }: TransactionCanceledException): boolean {
  const codes = CancellationReasons.map(({ Code = 'None' }) => Code).filter((code) => code !== 'None');
  return codes.length > 0 && codes.every((code) => transientReasons.has(code));
}

/** Whether a transaction exceeded a limit, such as four megabytes. */
export function exceedsTransaction(error: unknown): boolean {
  return error instanceof RucioError && (error.cause as Error | undefined)?.name === 'ValidationException';
}

function requireDistinct(plan: Plan): void {
  const seen = new Set<string>();
  for (const key of plan.map((write) => textOfKey(keyOf(write)))) {
    if (seen.has(key)) throw new Error(`a plan writes to ${key} twice`);
    seen.add(key);
  }
}

function transactItem(TableName: string, write: Write): TransactItem {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  if (write.kind === 'insert') {
    return { Put: { ...common, Item: write.item, ConditionExpression: 'attribute_not_exists(PK)' } };
  }
  const key = { ...common, Key: keyOf(write) };
  if (write.kind === 'absence') return { ConditionCheck: { ...key, ConditionExpression: 'attribute_not_exists(PK)' } };
  if (write.isCheck === true) return { ConditionCheck: { ...key, ...checkExpressions(write) } };
  const { UpdateExpression, ...condition } = changeExpressions(write);
  const parameters = { ...key, ...condition };
  return UpdateExpression === undefined ? { Delete: parameters } : { Update: { ...parameters, UpdateExpression } };
}

function read(item: CancellationReason['Item']): Item | undefined {
  return item === undefined ? undefined : (toNatives(item) as unknown as Item);
}
