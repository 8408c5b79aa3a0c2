import { setTimeout as sleep } from 'node:timers/promises';

import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

import { unavailable } from '../errors.ts';
import { log } from '../log.ts';
import { forEachLimited } from '../parallel.ts';
import { batchDeadline, longestBatch, markedAge } from './batch-record.ts';
import { chunksOf } from './chunks.ts';
import { tooLarge } from './client.ts';
import { stageExpressions } from './expressions.ts';
import { insertUnits } from './item-size.ts';
import { type Item, stagedBatches } from './item.ts';
import { batchTime } from './keys/batch-keys.ts';
import { Lease, withLease } from './lease.ts';
import { type Change, Collision, Contended, type Insert, keyOf, type Plan, type Write } from './plan.ts';
import { refusal } from './refusal.ts';
import { foldChanges, outlast } from './settle.ts';
import {
  insertStatement,
  passingCodes,
  sendStatements,
  type Statement,
  type StatementError,
  stageStatement,
  statementsPerRequest,
} from './statements.ts';
import { Traces } from './traces.ts';
import { transact } from './transaction.ts';
import type { Writer } from './writer.ts';

/** Requests under way at once. */
const parallel = 16;

/** Recovery reads the changed items of each batch some three times; for more than this many a note saves that. */
const manyChanges = 100;

/**
 * Carries out any number of writes so that they become visible together (docs/adr/0003-staged-commit.md).
 *
 * Costs one write unit an insert, two a change, one each for begin and commit, plus index writes.
 *
 * @param options `atOnce`: the changes, fewer than a transaction holds, are made by the commit itself, which costs the
 *   same and saves staging and folding each of them.
 * @throws The error of a refused write, {@link Collision}, LostRace, or DatabaseException (503). Nothing is left behind
 *   then.
 */
export async function commitStaged(
  writer: Writer,
  plan: Plan,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<void> {
  const inserts = plan.filter((write) => write.kind === 'insert');
  const changes = plan.filter((write) => write.kind === 'change');
  const staged = atOnce ? [] : changes;
  const batch = await writer.batches.begin(inserts.map(keyOf), staged.map(keyOf));
  const lease = new Lease(batchTime(batch) + batchDeadline);
  const renewals = keepAlive(writer, batch, lease);
  const traces = new Traces();
  try {
    await withLease(lease, async () => {
      await stage({ writer, batch, traces }, [...inserts, ...staged]);
      if (atOnce) await commitWith(writer, batch, changes);
      else await writer.batches.commit(batch);
    });
  } catch (error) {
    if (await giveUp({ writer, batch, traces })) throw error;
  } finally {
    clearInterval(renewals);
  }
  if ((await foldChanges(writer, batch, staged)) && staged.length > manyChanges) await noteFolded(writer, batch);
}

/** A batch that is being written. */
interface Staging {
  readonly writer: Writer;
  readonly batch: string;
  readonly traces: Traces;
}

/**
 * Gives a batch up and takes back what was staged. What fails on the way is left to recovery: the caller is to get the
 * error of its own request.
 *
 * @returns False when the batch is committed and only the answer to that was lost.
 */
async function giveUp({ writer, batch, traces }: Staging): Promise<boolean> {
  try {
    if (!(await writer.batches.abort(batch))) return false;
    const isClean = await traces.takeBack(writer, batch);
    // Recovery may have marked a batch that is older than that, and has to conclude it.
    if (isClean && Date.now() < batchTime(batch) + markedAge) await writer.batches.forget(batch);
  } catch (error) {
    log.warn('what a refused bulk request has staged is left to recovery', { batch, because: String(error) });
  }
  return true;
}

/** The note only saves recovery a look at the items. */
async function noteFolded(writer: Writer, batch: string): Promise<void> {
  try {
    await writer.batches.folded(batch);
  } catch (error) {
    log.warn('the end of a bulk request could not be noted', { batch, because: String(error) });
  }
}

/** How often a commit is tried that meets other writers, before everything is planned anew. */
const commitAttempts = 5;

/** Commits a batch by a transaction that makes changes, too. */
async function commitWith(writer: Writer, batch: string, changes: readonly Change[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writer.batches.commitBy(batch, (record) => transact(writer, changes, [{ Update: record }]));
      return;
    } catch (error) {
      if (!(error instanceof Contended) || attempt === commitAttempts) throw error;
      await pause(batch, attempt);
    }
  }
}

/** Puts off the deadline of a batch that takes long; a slow engine is no reason to give it up. */
function keepAlive(writer: Writer, batch: string, lease: Lease): NodeJS.Timeout {
  const renew = () => {
    if (Date.now() > batchTime(batch) + longestBatch) return;
    writer.batches.renew(batch).then(
      (until) => lease.extend(until),
      (error: unknown) => {
        // Otherwise the lease runs out unless the next one succeeds.
        if (error instanceof ConditionalCheckFailedException) lease.end();
      },
    );
  };
  return setInterval(renew, batchDeadline / 3).unref();
}

/** A write that goes with others in a request. */
interface Stated {
  readonly write: Write;
  readonly statement: Statement;
}

async function stage(staging: Staging, plan: Plan): Promise<void> {
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
    const { answers, attempts } = await sendStatements(
      writer,
      open.map(({ write, statement }) => ({ statement, units: unitsOf(write, batch) })),
    );
    const refused: { stated: Stated; error: StatementError }[] = [];
    for (const [index, stated] of open.entries()) {
      const error = answers[index]?.Error;
      if (error === undefined) traces.made(stated.write);
      else {
        if (attempt === 0 && attempts === 1) traces.refused(stated.write);
        refused.push({ stated, error });
      }
    }
    const again: Stated[] = [];
    for (const { stated, error } of refused) if (await isToRepeat(staging, stated.write, error)) again.push(stated);
    open = again;
  }
}

const unitsOf = (write: Write, batch: string) => (write.kind === 'insert' ? insertUnits({ ...write.item, batch }) : 1);

/** Looks at why a statement was refused: false when its write is made, true when it may be sent again. */
async function isToRepeat(staging: Staging, write: Write, error: StatementError): Promise<boolean> {
  if (passingCodes.has(error.Code)) return true;
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

async function stageSingle({ writer, batch, traces }: Staging, write: Write): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    if (attempt > 0) await pause(batch, attempt);
    traces.sent([write]);
    try {
      await writer.client.send(stageCommand(writer.tableName, batch, write) as UpdateCommand);
      traces.made(write);
      return;
    } catch (error) {
      if (error instanceof TransactionConflictException) continue;
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const existing = error.Item === undefined ? undefined : (unmarshall(error.Item) as unknown as Item);
      if (!(await metOther({ writer, batch, traces }, write, existing))) return;
    }
  }
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

async function pause(batch: string, attempt: number): Promise<void> {
  if (Date.now() > deadlineOf(batch)) throw unavailable();
  await sleep(Math.random() * Math.min(1_000, 20 * 2 ** attempt));
}

const deadlineOf = (batch: string) => batchTime(batch) + batchDeadline / 2;
