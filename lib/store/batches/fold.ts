import { chunksOf } from '../../chunks.ts';
import { log } from '../../log.ts';
import { forEachLimited } from '../../parallel.ts';
import { type Expressions, foldExpressions } from '../items/expressions.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from '../items/item.ts';
import type { Change } from '../items/plan.ts';
import type { Key } from '../keys/key-parts.ts';
import { foldShared } from './fold-shared.ts';
import { foldStatement, sendStatements, type Statement, statementsPerRequest } from './statements.ts';
import { getItem, sendIfHolds, stagedPatch } from './stored-item.ts';
import { writeQueuesOf } from './write-queues.ts';
import { maxParallelRequests, type Writer } from './writer.ts';

/** How long a writer may take to fold its own changes before other processes do it. */
export const foldingTimeMs = 5_000;

/**
 * Folds the staged changes of a committed batch into their items; idempotent. A failure is logged, not thrown: the writes are
 * visible, since readers apply staged changes, and recovery folds them later.
 *
 * @returns Whether all changes are folded.
 */
export async function foldChanges(writer: Writer, batch: string, changes: readonly Change[]): Promise<boolean> {
  const failures: unknown[] = [];
  const attempt = async (tried: readonly Change[], run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      failures.push(...tried.map(() => error));
    }
  };
  await forEachLimited(chunksOf(changes, statementsPerRequest), maxParallelRequests, (chunk) =>
    attempt(chunk, async () => {
      for (const change of await foldTogether(writer, batch, chunk)) {
        await attempt([change], () => foldOne(writer, batch, change));
      }
    }),
  );
  if (failures.length === 0) return true;
  log.warn('changes of a bulk request are left to be folded later', {
    batch,
    changes: failures.length,
    because: String(failures[0]),
  });
  return false;
}

/** Folds the staged change of a committed batch on one item, if there is one. */
export async function foldItem(writer: Writer, batch: string, key: Key): Promise<void> {
  const item = await getItem(writer, key);
  if (item !== undefined) await foldOn(writer, batch, item);
}

/** Folds the staged changes of committed batches on an item that was read. */
export async function foldStaged(writer: Writer, item: Item, batches: ReadonlySet<string>): Promise<void> {
  for (const batch of stagedBatches(item).toSorted()) {
    if (batches.has(batch)) await foldOn(writer, batch, item);
  }
}

async function foldOn(writer: Writer, batch: string, item: Item): Promise<void> {
  const patch = stagedPatch(item, batch);
  if (patch !== undefined) await fold(writer, batch, item, patch);
}

/** Folds changes by one request; returns those that need a request of their own. */
async function foldTogether(writer: Writer, batch: string, changes: readonly Change[]): Promise<Change[]> {
  const single: Change[] = [];
  const together: { change: Change; statement: Statement }[] = [];
  for (const change of changes) {
    const statement = foldStatement(writer.tableName, change.key, change.patch, batch);
    if (statement === undefined) single.push(change);
    else together.push({ change, statement });
  }
  if (together.length < 2) return [...changes];
  const { answers } = await sendStatements(
    writer,
    together.map(({ statement }) => ({ statement, estimateUnits: () => 1 })),
  );
  for (const [index, { change }] of together.entries()) if (answers[index]?.Error !== undefined) single.push(change);
  return single;
}

async function foldOne(writer: Writer, batch: string, change: Change): Promise<void> {
  const isShared = writeQueuesOf(writer.client).areContended([change.key]);
  if (isShared && (await foldShared(writer, batch, change))) return;
  await fold(writer, batch, change.key, change.patch);
}

/** Folds a staged change, in parts if it is large; several processes may do so concurrently. */
async function fold(writer: Writer, batch: string, key: Key, patch: Patch): Promise<void> {
  for (let left: Patch | undefined = patch; left !== undefined;) {
    const parts = foldExpressions(left, batch);
    if (await sendAll(writer, key, parts)) return;
    // Another process has folded the change or, if it has several parts, is folding it.
    left = parts.length === 1 ? undefined : ((await getItem(writer, key))?.[stagedPrefix + batch] as Patch | undefined);
  }
}

async function sendAll(writer: Writer, key: Key, parts: readonly Expressions[]): Promise<boolean> {
  for (const part of parts) if (!(await sendIfHolds(writer, key, part))) return false;
  return true;
}
