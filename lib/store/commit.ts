import { setTimeout as sleep } from 'node:timers/promises';

import { unavailable } from '../errors.ts';
import { fitsExpression } from './expressions.ts';
import { Collision, LostRace, type Plan } from './plan.ts';
import { outlast } from './settle.ts';
import { commitStaged } from './staged.ts';
import { exceedsTransaction, mostItems, putSingle, transact } from './transaction.ts';
import type { Writer } from './writer.ts';

/** Up to this many writes go in one transaction: half the round trips of a staged commit at twice its units. */
const handful = 10;

/** How long an operation is tried again while others stand in its way, in milliseconds. */
const patience = 20_000;

/** How a plan is to be carried out. */
export interface WriteOptions {
  /**
   * Nobody waits for it, and nobody shares its items: as much as fits goes in one transaction, which is one round trip
   * instead of four at the same units, but has to be tried again when it meets another writer.
   */
  readonly inBackground?: boolean;
}

/**
 * Carries out an operation that reads, decides and writes all or nothing.
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
  const started = Date.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      await execute(writer, await plan(attempt), options);
      return;
    } catch (error) {
      if (!(error instanceof Collision) && !(error instanceof LostRace)) throw error;
      if (Date.now() - started > patience) throw unavailable(error);
      if (error instanceof Collision) await outlast(writer, error, started + patience);
      else await sleep(Math.random() * Math.min(500, 10 * 2 ** attempt));
    }
  }
}

async function execute(writer: Writer, plan: Plan, { inBackground = false }: WriteOptions): Promise<void> {
  const [only] = plan;
  if (only === undefined) return;
  if (plan.some((write) => write.kind === 'change' && !fitsExpression(write.patch))) await commitStaged(writer, plan);
  else if (plan.length === 1) await putSingle(writer, only);
  else if (plan.length <= handful) await transact(writer, plan);
  else if (inBackground) await commitInBackground(writer, plan);
  else await commitStaged(writer, plan);
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
