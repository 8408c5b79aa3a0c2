import { setTimeout as sleep } from 'node:timers/promises';

import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

import { unavailable } from '../../errors.ts';
import { forEachLimited } from '../../parallel.ts';
import { chunksOf } from '../items/chunks.ts';
import { tooLarge } from '../items/client.ts';
import { stageExpressions } from '../items/expressions.ts';
import { insertUnits } from '../items/item-size.ts';
import { type Item, stagedBatches } from '../items/item.ts';
import { isThrottle, isThrottled, loadOf, type Pace } from '../items/pace.ts';
import { Collision, type Insert, keyOf, type Plan, type Write } from '../items/plan.ts';
import { batchTime } from '../keys/batch-keys.ts';
import { batchDeadline } from './batch-record.ts';
import { refusal } from './refusal.ts';
import { outlast } from './settle.ts';
import {
  insertStatement,
  passingCodes,
  sendStatements,
  type Statement,
  type StatementError,
  stageStatement,
  statementsPerRequest,
} from './statements.ts';
import type { Traces } from './traces.ts';
import { turnsOf } from './turns.ts';
import type { Writer } from './writer.ts';

/** Requests under way at once. */
const parallel = 16;

/** How long a batch is staged at the rate of the table, in milliseconds, before it is given up. */
const stagingTime = 120_000;

/** A batch that is being written. */
export interface Staging {
  readonly writer: Writer;
  readonly batch: string;
  readonly traces: Traces;
  readonly pace: Pace;
}

/**
 * Stages the writes of a batch: inserts with its stamp, changes beside the present values.
 *
 * @throws The error of a refused write, {@link Collision}, or DatabaseException (503).
 */
export async function stage(staging: Staging, plan: Plan): Promise<void> {
  const stated: Stated[] = [];
  const single: Write[] = [];
  for (const write of plan) {
    const statement = stateWrite(staging, write);
    if (statement === undefined) single.push(write);
    else stated.push({ write, statement });
  }
  const outcomes = await Promise.allSettled([
    forEachLimited(chunksOf(stated, statementsPerRequest), parallel, (chunk) => stageChunk(staging, chunk)),
    forEachLimited(single, parallel, (write) => stageSingle(staging, write)),
  ]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** A write that goes with others in a request. */
interface Stated {
  readonly write: Write;
  readonly statement: Statement;
}

function stateWrite({ writer: { tableName }, batch }: Staging, write: Write): Statement | undefined {
  return write.kind === 'insert'
    ? insertStatement(tableName, { ...write.item, batch })
    : stageStatement(tableName, write, batch);
}

async function stageChunk(staging: Staging, chunk: readonly Stated[]): Promise<void> {
  const { writer, batch, traces } = staging;
  let open = chunk;
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt > 0) await pause(batch, attempt);
    traces.sent(open.map(({ write }) => write));
    const statements = open.map(({ write, statement }) => ({ statement, units: unitsOf(write, batch) }));
    const answer = await paced(staging, () => sendStatements(writer, statements));
    if (answer === undefined) continue;
    const refused: { stated: Stated; error: StatementError }[] = [];
    for (const [index, stated] of open.entries()) {
      const error = answer.answers[index]?.Error;
      if (error === undefined) traces.made(stated.write);
      else {
        if (attempt === 0 && answer.attempts === 1) traces.refused(stated.write);
        refused.push({ stated, error });
      }
    }
    if (refused.some(({ error }) => isThrottle(error.Code))) slowDown(staging);
    const again: Stated[] = [];
    for (const { stated, error } of refused) if (await isToRepeat(staging, stated.write, error)) again.push(stated);
    open = again;
  }
}

const unitsOf = (write: Write, batch: string) => (write.kind === 'insert' ? insertUnits({ ...write.item, batch }) : 1);

/** Looks at why a statement was refused: false when its write is made, true when it may be sent again. */
async function isToRepeat(staging: Staging, write: Write, error: StatementError): Promise<boolean> {
  if (passingCodes.has(error.Code)) {
    if (write.kind === 'change') turnsOf(staging.writer.client).heat(keyOf(write));
    return true;
  }
  if (error.Code === 'DuplicateItem' && write.kind === 'insert') return blocked(staging, write);
  const existing = error.Item as Item | undefined;
  const isSingle =
    error.Code === 'ValidationError' || (existing?.setting !== undefined && !isStaged(existing, staging.batch));
  if (error.Code === 'ConditionalCheckFailed' && !isSingle) return metOther(staging, write, existing);
  if (error.Message?.includes('Item size') === true) throw tooLarge(error);
  if (!isSingle) throw new Error(`a write was refused: ${error.Code} ${error.Message}`);
  // What a statement cannot say: adding to an attribute that is missing, or one more batch with values waiting.
  await stageSingle(staging, write);
  return false;
}

/** Looks at what stands in the way of an insert: false when it is the insert itself, true when it may be tried again. */
async function blocked(staging: Staging, insert: Insert): Promise<boolean> {
  const { client, tableName } = staging.writer;
  const { Item: existing } = await client.send(
    new GetCommand({ TableName: tableName, Key: keyOf(insert), ConsistentRead: true }),
  );
  return existing === undefined || metOther(staging, insert, existing as Item);
}

/** Looks at the item by which a write was refused: false when it is the write itself, true when it may be tried again. */
async function metOther(staging: Staging, write: Write, existing: Item | undefined): Promise<boolean> {
  const { writer, batch, traces } = staging;
  // A repeat of a request whose answer was lost finds what it has done.
  if (existing !== undefined && isStaged(existing, batch)) {
    traces.made(write);
    return false;
  }
  traces.refused(write);
  await giveWay(writer, batch, write, existing);
  return true;
}

/**
 * Sends a request at the pace that the table can bear.
 *
 * @returns Undefined when the table could not keep up: the request is to be sent again.
 */
async function paced<T>(staging: Staging, send: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await staging.pace.run(send);
    staging.pace.taken();
    return answer;
  } catch (error) {
    if (!isThrottled(error)) throw error;
    slowDown(staging);
    return undefined;
  }
}

function slowDown({ writer, pace }: Staging): void {
  pace.throttled();
  loadOf(writer.client).throttled();
}

async function stageSingle(staging: Staging, write: Write): Promise<void> {
  const { writer, batch, traces } = staging;
  for (let attempt = 0; ; attempt += 1) {
    if (attempt > 0) await pause(batch, attempt);
    traces.sent([write]);
    try {
      const command = stageCommand(writer.tableName, batch, write) as UpdateCommand;
      if ((await paced(staging, () => writer.client.send(command))) === undefined) continue;
      traces.made(write);
      return;
    } catch (error) {
      if (error instanceof TransactionConflictException) continue;
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const existing = error.Item === undefined ? undefined : (unmarshall(error.Item) as unknown as Item);
      if (!(await metOther(staging, write, existing))) return;
    }
  }
}

const isStaged = (item: Item, batch: string) => item.batch === batch || stagedBatches(item).includes(batch);

function stageCommand(TableName: string, batch: string, write: Write): PutCommand | UpdateCommand {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  return write.kind === 'insert'
    ? new PutCommand({ ...common, Item: { ...write.item, batch }, ConditionExpression: 'attribute_not_exists(PK)' })
    : new UpdateCommand({ ...common, Key: keyOf(write), ...stageExpressions(write, batch) });
}

/**
 * Of two bulk requests that meet, the older one waits and the younger one steps back and starts anew; so neither can
 * wait for the other for ever.
 */
async function giveWay(writer: Writer, batch: string, write: Write, existing: Item | undefined): Promise<void> {
  const error = await refusal(writer.batches, write, existing);
  if (!(error instanceof Collision)) throw error;
  if (error.batch < batch && (await isAlive(writer, error.batch))) throw error;
  await outlast(writer, error, deadlineOf(batch));
}

/** Whether a batch may still be under way; what another one has left is cleared without stepping back. */
async function isAlive(writer: Writer, batch: string): Promise<boolean> {
  const verdict = await writer.batches.verdict(batch);
  return verdict.state === 'pending' && verdict.deadline >= Date.now();
}

/** Waits before the next attempt; throws DatabaseException (503) when the batch has been tried for too long. */
export async function pause(batch: string, attempt: number): Promise<void> {
  if (Date.now() > batchTime(batch) + stagingTime) throw unavailable();
  await sleep(Math.random() * Math.min(1_000, 20 * 2 ** attempt));
}

const deadlineOf = (batch: string) => batchTime(batch) + batchDeadline / 2;
