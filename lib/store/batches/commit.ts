import { clock } from '../../clock.ts';
import { RucioError, unavailable } from '../../errors.ts';
import { backOff } from '../../retry.ts';
import { fitsExpression } from '../items/expressions.ts';
import { ItemTooLarge } from '../items/item-too-large.ts';
import { countedWhenStaged } from '../items/item.ts';
import { Lease, withLease } from '../items/lease.ts';
import {
  type Change,
  Collision,
  Contended,
  type Insert,
  keyOf,
  LostRace,
  type Plan,
  type Write,
} from '../items/plan.ts';
import { textOfKey } from '../keys/key-parts.ts';
import { decidedAgeMs } from './batch-record.ts';
import { commitStaged } from './staged.ts';
import { exceedsTransaction, maxTransactionItems, putSingle, transact } from './transaction.ts';
import { waitForBatch } from './wait-for-batch.ts';
import { writeQueuesOf } from './write-queues.ts';
import type { Writer } from './writer.ts';

/** Plans of up to this many writes are one transaction: half the round trips of a staged commit at twice its units. */
export const maxTransactionWrites = 10;

/** How long an operation is retried while it conflicts with others. */
const retryTimeoutMs = 20_000;

/**
 * The longest time from the begin of a plan to its requests. A process may freeze in between. What the plan has read may then be
 * outdated in ways that no condition shows, such as the state of the metadata index. And AWS forgets the token of a transaction
 * after ten minutes: its repeat would take effect once more.
 */
export const maxPlanAgeMs = 300_000;

/** The longest time from what a plan reads to its effect: the age of the plan, and the time until a bulk request is decided. */
export const latestEffectMs = maxPlanAgeMs + decidedAgeMs;

/** How a plan is written. */
export interface WriteOptions {
  /**
   * No caller waits for the plan, and its items are rarely shared: as much as fits is one transaction, which takes one round
   * trip instead of four at the same units, but has to be retried on a conflict.
   */
  readonly inBackground?: boolean;
  /** How many writes of the plan do not count when the way of writing is chosen. */
  readonly uncountedWrites?: number;
  /** Conditions must hold when the plan takes effect, not when a part was staged: one transaction. */
  readonly isExact?: boolean;
  /**
   * Called when the plan is staged, before it takes effect; if it throws, nothing is written. Staged items block others
   * whose plans require that it is absent, so what this reads of their effects is complete. A plan with it is a staged commit.
   */
  readonly confirm?: () => Promise<void>;
}

/** After this many conflicting transactions a plan is staged: single writes of one item do not conflict. */
const maxConflicts = 2;

/** The most items without room for a staged change that a plan may have: the items of a transaction may take 4 MB. */
const maxFullItems = 9;

/** Before an operation is retried after a conflict. */
const conflictBackoff = { firstPauseMs: 10, longestPauseMs: 1_000 };

/**
 * Runs an operation that reads, decides and writes atomically, with optimistic locks. Operations of this process that
 * conflict on an item are queued; conflicts with other processes are retried with backoff. An item that is too full for a
 * change to be staged beside its values is changed by the commit itself, so that it holds up none of the others.
 *
 * @param plan Reads what it needs and returns the writes; called again after each conflict. `attempt`: how often it was
 *   called before.
 * @throws What `plan` throws; the error of the first write whose condition fails; {@link ItemTooLarge}, which names the item;
 *   DatabaseException (503) when conflicts lasted too long. Nothing is written then.
 */
export async function writeAtomically(
  writer: Writer,
  plan: (attempt: number) => Promise<Plan>,
  options: WriteOptions = {},
): Promise<void> {
  const until = clock.now() + retryTimeoutMs;
  const full = new Set<string>();
  let contended = 0;
  let endTurn = () => {};
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const mode = { ...options, isContended: contended >= maxConflicts, full };
        return await withLease(new Lease(maxPlanAgeMs), async () => writePlan(writer, await plan(attempt), mode));
      } catch (error) {
        endTurn();
        if (noteFull(full, error)) continue;
        if (!(error instanceof Collision) && !(error instanceof LostRace)) throw error;
        if (clock.now() > until) throw unavailable(error);
        if (error instanceof Collision) {
          endTurn = () => {};
          await waitForBatch(writer, error, until);
        } else {
          if (error instanceof Contended) contended += 1;
          if (contended >= maxConflicts && error.key !== undefined)
            writeQueuesOf(writer.client).markContended(error.key);
          endTurn = await waitAfter(writer, error, attempt + 1);
        }
      }
    }
  } finally {
    endTurn();
  }
}

/** Notes an item that is too full to be changed as it was tried. @returns Whether there is another way. */
function noteFull(full: Set<string>, error: unknown): boolean {
  if (!(error instanceof ItemTooLarge) || !error.wasStaged || error.key === undefined) return false;
  if (full.size >= maxFullItems) return false;
  const text = textOfKey(error.key);
  if (full.has(text)) return false;
  full.add(text);
  return true;
}

/** Waits after a conflict; returns the function that admits the next operation of this process. */
async function waitAfter(writer: Writer, { key }: LostRace, retry: number): Promise<() => void> {
  const endTurn = key === undefined ? () => {} : await writeQueuesOf(writer.client).enter(key);
  await backOff(conflictBackoff, retry);
  return endTurn;
}

interface WriteMode extends WriteOptions {
  /** The plan has conflicted with others repeatedly. */
  readonly isContended: boolean;
  /** The items that are too full for a staged change. */
  readonly full: ReadonlySet<string>;
}

async function writePlan(writer: Writer, wanted: Plan, mode: WriteMode): Promise<void> {
  const plan = mode.full.size === 0 ? wanted : wanted.map((write) => changeAtOnce(write, mode.full));
  const { inBackground = false, uncountedWrites = 0, isExact = false, confirm, isContended } = mode;
  const [only, ...others] = plan;
  if (only === undefined) return;
  const written = plan.filter((write) => write.kind !== 'absence');
  const counted = written.filter((write) => write.isUncounted !== true).length;
  if (confirm !== undefined) await commitStaged(writer, plan, { changesInCommit: holdsChanges(plan), confirm });
  else if (isExact) await commitTogether(writer, plan, refuseTooMany);
  else if (plan.some((write) => write.kind === 'change' && !fitsExpression(write.patch)))
    await commitStaged(writer, plan);
  else if (others.length === 0 && only.kind !== 'absence' && !addsAnew(only)) await putSingle(writer, only);
  else if (isContended || writeQueuesOf(writer.client).areContended(written.map(keyOf)))
    await commitStaged(writer, plan);
  else if (counted - uncountedWrites <= maxTransactionWrites) await transact(writer, plan);
  else if (inBackground) await commitTogether(writer, plan, () => commitStaged(writer, plan));
  else await commitStaged(writer, plan);
}

/**
 * Whether a write that is repeated after a lost answer would add to a counter once more: none of its conditions fails once it has
 * taken effect. The token of a transaction tells.
 */
function addsAnew(write: Insert | Change): boolean {
  if (write.kind === 'insert' || write.patch.delete === true) return false;
  const { set = {}, add = {}, remove = [] } = write.patch;
  const isCounter = (name: string) => !countedWhenStaged.some((revision) => revision === name);
  const endsWith = ([name, value]: readonly [string, unknown]) =>
    (add[name] ?? 0) !== 0 || remove.includes(name) || (name in set && set[name] !== value);
  return Object.keys(add).some(isCounter) && !Object.entries(write.when ?? {}).some(endsWith);
}

/** Whether the commit of a batch can make all changes of a plan itself. */
function holdsChanges(plan: Plan): boolean {
  return plan.filter(({ kind }) => kind !== 'insert').length < maxTransactionItems;
}

/** Lets the commit itself change an item that is too full for a staged change. */
function changeAtOnce(write: Write, full: ReadonlySet<string>): Write {
  if (write.kind !== 'change' || !full.has(textOfKey(keyOf(write))) || !fitsExpression(write.patch)) return write;
  return { ...write, isExact: true };
}

/**
 * Commits all changes in one transaction, even a single one: its repeat by the client is idempotent, that of a conditional
 * write would fail. An insert costs twice the units in a transaction, a change the same: many inserts are staged before it.
 *
 * @param onTooMany What to do with more than a transaction holds.
 */
async function commitTogether(writer: Writer, plan: Plan, onTooMany: () => Promise<void>): Promise<void> {
  const inserts = plan.filter(({ kind }) => kind === 'insert').length;
  try {
    if (plan.length <= maxTransactionItems && inserts <= maxTransactionWrites) await transact(writer, plan);
    else if (!holdsChanges(plan)) await onTooMany();
    else await commitStaged(writer, plan, { changesInCommit: true });
  } catch (error) {
    if (!exceedsTransaction(error)) throw error;
    await onTooMany();
  }
}

async function refuseTooMany(): Promise<never> {
  const changes = `${maxTransactionItems - 1} changes`;
  throw new RucioError('PayloadTooLarge', `With If-Match a request makes at most ${changes}; ask for less at a time.`);
}
