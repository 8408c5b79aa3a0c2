import { setTimeout as sleep } from 'node:timers/promises';

import { RucioError, unavailable } from '../../errors.ts';
import { fitsExpression } from '../items/expressions.ts';
import { Collision, Contended, keyOf, LostRace, type Plan } from '../items/plan.ts';
import { outlast } from './settle.ts';
import { commitStaged } from './staged.ts';
import { exceedsTransaction, mostItems, putSingle, transact } from './transaction.ts';
import { turnsOf } from './turns.ts';
import type { Writer } from './writer.ts';

/** Up to this many writes go in one transaction: half the round trips of a staged commit at twice its units. */
export const handful = 10;

/** How long an operation is tried again while others stand in its way, in milliseconds. */
const patience = 20_000;

/** How a plan is to be carried out. */
export interface WriteOptions {
  /**
   * Nobody waits for it, and nobody shares its items: as much as fits goes in one transaction, which is one round trip
   * instead of four at the same units, but has to be tried again when it meets another writer.
   */
  readonly inBackground?: boolean;
  /** So many writes of the plan go along with it and have no say in how it is carried out. */
  readonly beside?: number;
  /** What it depends on must hold when it takes effect, and not when a part of it was staged before: one transaction. */
  readonly isExact?: boolean;
}

/** After so many transactions that met others a plan is staged: writes of one item do not get in each other's way. */
const mostContended = 2;

/** The longest pause before an operation is tried again, in milliseconds. */
const longestPause = 1_000;

/**
 * Carries out an operation that reads, decides and writes all or nothing. Operations of this process that meet at an item
 * go on one after the other; those of others are waited for with growing pauses.
 *
 * @param plan Reads what it needs anew and returns the writes; called again when another writer got in between. `attempt`:
 *   how often it was called before.
 * @throws What `plan` throws; the error of the first write that is not possible; DatabaseException (503) when others
 *   stood in the way for too long. Nothing is written then.
 */
export async function writeAtomically(
  writer: Writer,
  plan: (attempt: number) => Promise<Plan>,
  options: WriteOptions = {},
): Promise<void> {
  const until = Date.now() + patience;
  let contended = 0;
  let endTurn = () => {};
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await execute(writer, await plan(attempt), { ...options, isContended: contended >= mostContended });
        return;
      } catch (error) {
        endTurn();
        if (!(error instanceof Collision) && !(error instanceof LostRace)) throw error;
        if (Date.now() > until) throw unavailable(error);
        if (error instanceof Collision) {
          endTurn = () => {};
          await outlast(writer, error, until);
        } else {
          if (error instanceof Contended) contended += 1;
          if (contended >= mostContended && error.key !== undefined) turnsOf(writer.client).heat(error.key);
          endTurn = await waitAfter(writer, error, attempt);
        }
      }
    }
  } finally {
    endTurn();
  }
}

/** Waits after a lost race; returns what lets the next one of this process go on. */
async function waitAfter(writer: Writer, { key }: LostRace, attempt: number): Promise<() => void> {
  const endTurn = key === undefined ? () => {} : await turnsOf(writer.client).take(key);
  await sleep(Math.random() * Math.min(longestPause, 10 * 2 ** attempt));
  return endTurn;
}

interface Way extends WriteOptions {
  /** The plan has met others again and again. */
  readonly isContended: boolean;
}

async function execute(writer: Writer, plan: Plan, way: Way): Promise<void> {
  const [only] = plan;
  if (only === undefined) return;
  const { inBackground = false, beside = 0, isExact = false, isContended } = way;
  if (isExact) await commitExactly(writer, plan);
  else if (plan.some((write) => write.kind === 'change' && !fitsExpression(write.patch)))
    await commitStaged(writer, plan);
  else if (plan.length === 1) await putSingle(writer, only);
  else if (isContended || turnsOf(writer.client).areHot(plan.map(keyOf))) await commitStaged(writer, plan);
  else if (plan.length - beside <= handful) await transact(writer, plan);
  else if (inBackground) await commitInBackground(writer, plan);
  else await commitStaged(writer, plan);
}

/** The repeat of a transaction by the client does nothing twice, that of a conditional write would be refused. */
async function commitExactly(writer: Writer, plan: Plan): Promise<void> {
  const inserts = plan.filter(({ kind }) => kind === 'insert').length;
  if (plan.length - inserts >= mostItems) throw tooMuch();
  try {
    if (plan.length <= mostItems && inserts <= handful) await transact(writer, plan);
    else await commitStaged(writer, plan, { atOnce: true });
  } catch (error) {
    throw exceedsTransaction(error) ? tooMuch() : error;
  }
}

function tooMuch(): RucioError {
  const most = `${mostItems - 1} changes`;
  return new RucioError('PayloadTooLarge', `With If-Match a request makes at most ${most}; ask for less at a time.`);
}

/** An insert costs twice the units in a transaction, a change the same; and there is room for so many items. */
async function commitInBackground(writer: Writer, plan: Plan): Promise<void> {
  const inserts = plan.filter(({ kind }) => kind === 'insert').length;
  try {
    if (plan.length <= mostItems && inserts <= handful) await transact(writer, plan);
    else if (plan.length - inserts < mostItems) await commitStaged(writer, plan, { atOnce: true });
    else await commitStaged(writer, plan);
  } catch (error) {
    if (!exceedsTransaction(error)) throw error;
    await commitStaged(writer, plan);
  }
}
