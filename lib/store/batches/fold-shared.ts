import { setTimeout as sleep } from 'node:timers/promises';

import { addIntegers, type Integer } from '../../integer.ts';
import { isSetting } from '../items/expressions.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from '../items/item.ts';
import type { Key } from '../keys/key-parts.ts';
import { foldAllStatement, passingCodes, sendStatements } from './statements.ts';
import { turnsOf } from './turns.ts';
import type { Writer } from './writer.ts';

/** The changes that one write folds at most, so that its statement stays short. */
const mostAtOnce = 40;

/** How often it is tried before the change is folded by itself. */
const mostAttempts = 8;

/** The first pause and the longest, in milliseconds. Another process may fold the change meanwhile. */
const [firstPause, longestPause] = [30, 400];

/**
 * Folds the change that a committed batch has left on an item which many change at the same time. A write takes units by
 * the size of the item, and each change that waits makes it larger. So the first process folds the committed changes of
 * all, and the others find nothing left to do.
 *
 * @param getItem Reads the item as it lies in the table.
 * @returns False where that did not work: the change is to be folded by itself.
 */
export async function foldShared(
  writer: Writer,
  batch: string,
  key: Key,
  getItem: (key: Key) => Promise<Item | undefined>,
): Promise<boolean> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    await sleep(Math.random() * Math.min(longestPause, firstPause * 2 ** attempt));
    const item = await getItem(key);
    if (item === undefined || item[stagedPrefix + batch] === undefined) return true;
    const batches = await findFoldable(writer, item);
    if (!batches.includes(batch)) return false;
    if (batches.length > 1) turnsOf(writer.client).heat(key);
    const statement = foldAllStatement(writer.tableName, key, mergeAll(item, batches), batches);
    if (statement === undefined) return false;
    const { answers } = await sendStatements(writer, [{ statement, units: 1 }]);
    const error = answers[0]?.Error;
    if (error === undefined) return true;
    if (error.Code !== 'ConditionalCheckFailed' && !passingCodes.has(error.Code)) return false;
  }
  return false;
}

/** The batches on an item that are committed and only add to it, the oldest first. */
async function findFoldable(writer: Writer, item: Item): Promise<string[]> {
  const plain = stagedBatches(item)
    .filter((id) => isPlain(item[stagedPrefix + id] as Patch | undefined))
    .toSorted()
    .slice(0, mostAtOnce);
  const verdicts = await writer.batches.verdicts(plain);
  return plain.filter((id) => verdicts.get(id)?.state === 'committed');
}

/** A change that is in parts already, or that gives values, is folded by itself. */
const isPlain = (patch: Patch | undefined) =>
  patch !== undefined &&
  patch.delete !== true &&
  patch.folding !== true &&
  patch.remove === undefined &&
  !isSetting(patch);

/** What changes come to that only add. */
function mergeAll(item: Item, batches: readonly string[]): Patch {
  const set: Record<string, unknown> = {};
  const add: Record<string, Integer> = {};
  for (const id of batches) {
    const patch = item[stagedPrefix + id] as Patch;
    Object.assign(set, patch.set);
    for (const [name, amount] of Object.entries(patch.add ?? {})) add[name] = addIntegers(add[name] ?? 0, amount);
  }
  return { set, add };
}
