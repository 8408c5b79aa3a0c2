import { addIntegers, type Integer } from '../../integer.ts';
import { backOff } from '../../retry.ts';
import { setsValues } from '../items/expressions.ts';
import { type Item, type Patch, stagedBatches, stagedPrefix } from '../items/item.ts';
import type { Change } from '../items/plan.ts';
import { foldAllStatement, transientCodes, sendStatements } from './statements.ts';
import { getItem } from './stored-item.ts';
import { writeQueuesOf } from './write-queues.ts';
import type { Writer } from './writer.ts';

/** The most changes that one write folds, so that its statement stays short. */
const maxFoldedChanges = 40;

/** How often it is tried before the change is folded by itself. Another process may fold it during a pause. */
const foldPolicy = { attempts: 8, firstPauseMs: 30, longestPauseMs: 400 };

/**
 * Folds the staged change of a committed batch on an item that many batches change concurrently. A write costs units by the
 * size of the item, which each staged change increases. So the first process folds all committed changes, and the others
 * find nothing left to do.
 *
 * @returns False if it failed, or if the change does more than add: it has to be folded by itself.
 */
export async function foldShared(
  writer: Writer,
  batch: string,
  { key, patch }: Pick<Change, 'key' | 'patch'>,
): Promise<boolean> {
  if (!isAdditive(patch)) return false;
  for (let attempt = 1; attempt <= foldPolicy.attempts; attempt += 1) {
    await backOff(foldPolicy, attempt);
    const item = await getItem(writer, key);
    if (item === undefined || item[stagedPrefix + batch] === undefined) return true;
    const batches = await findFoldable(writer, item);
    if (!batches.includes(batch)) return false;
    if (batches.length > 1) writeQueuesOf(writer.client).markContended(key);
    const statement = foldAllStatement(writer.tableName, key, mergeAll(item, batches), batches);
    if (statement === undefined) return false;
    const { answers } = await sendStatements(writer, [{ statement, estimateUnits: () => 1 }]);
    const error = answers[0]?.Error;
    if (error === undefined) return true;
    if (error.Code !== 'ConditionalCheckFailed' && !transientCodes.has(error.Code)) return false;
  }
  return false;
}

/** The committed batches whose staged changes of an item only add to it, the oldest first. */
async function findFoldable(writer: Writer, item: Item): Promise<string[]> {
  const additive = stagedBatches(item)
    .filter((id) => isAdditive(item[stagedPrefix + id] as Patch | undefined))
    .toSorted()
    .slice(0, maxFoldedChanges);
  const verdicts = await writer.batches.verdicts(additive);
  return additive.filter((id) => verdicts.get(id)?.state === 'committed');
}

/** A change that is partly folded, or that sets values, is folded by itself. */
const isAdditive = (patch: Patch | undefined) =>
  patch !== undefined &&
  patch.delete !== true &&
  patch.folding !== true &&
  patch.remove === undefined &&
  !setsValues(patch);

/** The sum of changes that only add. */
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
