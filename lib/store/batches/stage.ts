import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';

import { chunksOf } from '../../chunks.ts';
import { clock } from '../../clock.ts';
import { unavailable } from '../../errors.ts';
import { forEachLimited } from '../../parallel.ts';
import { backOff } from '../../retry.ts';
import { toNatives } from '../items/attribute-values.ts';
import { GetCommand, PutCommand, UpdateCommand } from '../items/commands.ts';
import { stageExpressions } from '../items/expressions.ts';
import { insertUnits } from '../items/item-size.ts';
import { ItemTooLarge } from '../items/item-too-large.ts';
import { type Item, stagedBatches } from '../items/item.ts';
import { isThrottleCode, isThrottled, loadOf, type Pace } from '../items/pace.ts';
import { Collision, type Insert, keyOf, type StagedWrite } from '../items/plan.ts';
import { wasUncertain } from '../items/uncertain-attempts.ts';
import { batchTime } from '../keys/batch-keys.ts';
import { batchDeadlineMs } from './batch-record.ts';
import { makeRefusalError } from './refusal.ts';
import type { SentWrites } from './sent-writes.ts';
import {
  insertStatement,
  transientCodes,
  sendStatements,
  type Statement,
  type StatementError,
  stageStatement,
  statementsPerRequest,
} from './statements.ts';
import { waitForBatch } from './wait-for-batch.ts';
import { writeQueuesOf } from './write-queues.ts';
import { maxParallelRequests, type Writer } from './writer.ts';

/** How long the staging of a batch may take before the batch is aborted. */
const stagingTimeoutMs = 120_000;

/** The state of a batch that is being staged. */
export interface Staging {
  readonly writer: Writer;
  readonly batch: string;
  readonly sentWrites: SentWrites;
  readonly pace: Pace;
}

/**
 * Stages the writes of a batch: inserts items with its stamp, and stores changes beside the values of their items.
 *
 * @throws The error of a refused write, {@link Collision}, or DatabaseException (503).
 */
export async function stageWrites(staging: Staging, plan: readonly StagedWrite[]): Promise<void> {
  const writeStatements: WriteStatement[] = [];
  const single: StagedWrite[] = [];
  for (const write of plan) {
    const statement = makeStatement(staging, write);
    if (statement === undefined) single.push(write);
    else writeStatements.push({ write, statement });
  }
  const outcomes = await Promise.allSettled([
    forEachLimited(chunksOf(writeStatements, statementsPerRequest), maxParallelRequests, (chunk) =>
      stageChunk(staging, chunk),
    ),
    forEachLimited(single, maxParallelRequests, (write) => stageSingle(staging, write)),
  ]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** A write that shares a request with others, as a statement. */
interface WriteStatement {
  readonly write: StagedWrite;
  readonly statement: Statement;
}

function makeStatement({ writer: { tableName }, batch }: Staging, write: StagedWrite): Statement | undefined {
  return write.kind === 'insert'
    ? insertStatement(tableName, write.item, batch)
    : stageStatement(tableName, write, batch);
}

async function stageChunk(staging: Staging, chunk: readonly WriteStatement[]): Promise<void> {
  const { writer, batch, sentWrites } = staging;
  let open = chunk;
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt > 0) await pauseBeforeRetry(batch, attempt);
    const statements = open.map(({ write, statement }) => ({
      statement,
      estimateUnits: () => estimateUnits(write, batch),
    }));
    const writes = open.map(({ write }) => write);
    const answer = await sendPaced(staging, writes, () => sendStatements(writer, statements));
    if (answer === undefined) continue;
    const refused: { sent: WriteStatement; error: StatementError }[] = [];
    for (const [index, sent] of open.entries()) {
      const error = answer.answers[index]?.Error;
      if (error === undefined) sentWrites.confirm(sent.write);
      else {
        // After an error of the server it is unknown whether the write took effect.
        if (attempt === 0 && error.Code !== 'InternalServerError') sentWrites.drop(sent.write);
        refused.push({ sent, error });
      }
    }
    if (refused.some(({ error }) => isThrottleCode(error.Code))) reportThrottle(staging);
    const again: WriteStatement[] = [];
    for (const { sent, error } of refused) if (await resolveRefusal(staging, sent.write, error)) again.push(sent);
    open = again;
  }
}

const estimateUnits = (write: StagedWrite, batch: string) =>
  write.kind === 'insert' ? insertUnits({ ...write.item, batch }) : 1;

/** Handles a refused statement: false if its write has taken effect, true if it has to be sent again. */
async function resolveRefusal(staging: Staging, write: StagedWrite, error: StatementError): Promise<boolean> {
  if (transientCodes.has(error.Code)) {
    if (write.kind === 'change') writeQueuesOf(staging.writer.client).markContended(keyOf(write));
    return true;
  }
  if (error.Code === 'DuplicateItem' && write.kind === 'insert') return resolveDuplicate(staging, write);
  const existing = error.Item as Item | undefined;
  const isSingle =
    error.Code === 'ValidationError' || (existing?.setting !== undefined && !isStaged(existing, staging.batch));
  if (error.Code === 'ConditionalCheckFailed' && !isSingle) return resolveConflict(staging, write, existing);
  if (error.Message?.includes('Item size') === true)
    throw new ItemTooLarge(error, keyOf(write), write.kind === 'change');
  if (!isSingle) throw new Error(`a write was refused: ${error.Code} ${error.Message}`);
  // A statement can neither add to a missing attribute nor add a batch to the set of those with staged values.
  await stageSingle(staging, write);
  return false;
}

/** Handles an insert whose item exists: false if it is this insert itself, true if it has to be sent again. */
async function resolveDuplicate(staging: Staging, insert: Insert): Promise<boolean> {
  const { client, tableName } = staging.writer;
  const { Item: existing } = await client.send(
    new GetCommand({ TableName: tableName, Key: keyOf(insert), ConsistentRead: true }),
  );
  return existing === undefined || resolveConflict(staging, insert, existing as Item);
}

/** Handles the item on which a condition failed: false if the write has taken effect, true if it has to be sent again. */
async function resolveConflict(staging: Staging, write: StagedWrite, existing: Item | undefined): Promise<boolean> {
  const { writer, batch, sentWrites } = staging;
  // The answer of an earlier attempt was lost, and the repeat finds its effect.
  if (existing !== undefined && isStaged(existing, batch)) {
    sentWrites.confirm(write);
    return false;
  }
  sentWrites.drop(write);
  await waitOrAbort(writer, batch, write, existing);
  return true;
}

/**
 * Sends a request with some writes at the rate that the table accepts.
 *
 * @returns Undefined if the table throttled it: the request has to be sent again.
 */
async function sendPaced<T extends { readonly $metadata: object }>(
  staging: Staging,
  writes: readonly StagedWrite[],
  send: () => Promise<T>,
): Promise<T | undefined> {
  const { sentWrites, pace } = staging;
  sentWrites.add(writes);
  try {
    const answer = await pace.run(send);
    if (wasUncertain(answer.$metadata)) sentWrites.noteLost(writes);
    pace.speedUp();
    return answer;
  } catch (error) {
    if (wasUncertain(error as object)) sentWrites.noteLost(writes);
    if (!isThrottled(error)) throw error;
    reportThrottle(staging);
    return undefined;
  }
}

function reportThrottle({ writer, pace }: Staging): void {
  pace.slowDown();
  loadOf(writer.client).recordThrottle();
}

async function stageSingle(staging: Staging, write: StagedWrite): Promise<void> {
  const { writer, batch, sentWrites } = staging;
  for (let attempt = 0; ; attempt += 1) {
    if (attempt > 0) await pauseBeforeRetry(batch, attempt);
    try {
      const command = stageCommand(writer.tableName, batch, write) as UpdateCommand;
      if ((await sendPaced(staging, [write], () => writer.client.send(command))) === undefined) continue;
      sentWrites.confirm(write);
      return;
    } catch (error) {
      if (error instanceof TransactionConflictException) continue;
      if (error instanceof ItemTooLarge) throw new ItemTooLarge(error, keyOf(write), write.kind === 'change');
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const existing = error.Item === undefined ? undefined : (toNatives(error.Item) as unknown as Item);
      if (!(await resolveConflict(staging, write, existing))) return;
    }
  }
}

const isStaged = (item: Item, batch: string) => item.batch === batch || stagedBatches(item).includes(batch);

function stageCommand(TableName: string, batch: string, write: StagedWrite): PutCommand | UpdateCommand {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  return write.kind === 'insert'
    ? new PutCommand({ ...common, Item: { ...write.item, batch }, ConditionExpression: 'attribute_not_exists(PK)' })
    : new UpdateCommand({ ...common, Key: keyOf(write), ...stageExpressions(write, batch) });
}

/**
 * Resolves a conflict of two batches: the older one waits and the younger one aborts and starts again, which prevents
 * deadlocks.
 */
async function waitOrAbort(
  writer: Writer,
  batch: string,
  write: StagedWrite,
  existing: Item | undefined,
): Promise<void> {
  const error = await makeRefusalError(writer.batches, write, existing);
  if (!(error instanceof Collision)) throw error;
  if (error.batch < batch && (await isAlive(writer, error.batch))) throw error;
  await waitForBatch(writer, error, waitDeadlineOf(batch));
}

/** Whether a batch may still be in progress. The writes of an abandoned one are removed without an abort of our own. */
async function isAlive(writer: Writer, batch: string): Promise<boolean> {
  const verdict = await writer.batches.verdict(batch);
  return verdict.state === 'pending' && verdict.deadline >= clock.now();
}

/** Waits before the next attempt; throws DatabaseException (503) when staging has timed out. */
export async function pauseBeforeRetry(batch: string, attempt: number): Promise<void> {
  if (clock.now() > batchTime(batch) + stagingTimeoutMs) throw unavailable();
  await backOff({ firstPauseMs: 40, longestPauseMs: 1_000 }, attempt);
}

const waitDeadlineOf = (batch: string) => batchTime(batch) + batchDeadlineMs / 2;
