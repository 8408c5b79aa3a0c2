import { createItem, type Effect, mutate } from '../items/mutate.ts';
import {
  locateWrite,
  type AddressedWrite,
  ConditionFailure,
  planWrite,
  type PlannedWrite,
} from '../items/plan-write.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from '../values/attribute-value.ts';
import type { PreparedWrite } from './prepare.ts';
import { duplicateItemError, requireKeyOfWrite, toRequestedWrite } from './requested-write.ts';
import { returnedItem } from './returning.ts';

/**
 * Finds the item that a statement writes.
 *
 * @throws ValidationException if the statement does not match its table.
 */
export function addressWrite(write: PreparedWrite, table: TableDefinition): AddressedWrite {
  const wish = toRequestedWrite(write, table);
  requireKeyOfWrite(wish, table);
  return locateWrite(table, wish);
}

/** The outcome of a write. */
export interface WriteOutcome {
  readonly effect: Effect;
  /** The answer to its RETURNING clause. */
  readonly item: Item | undefined;
}

/**
 * Carries out the write of a statement. Changes nothing if it throws.
 *
 * @param options `returnValues`: whether the caller wants the item if the condition is false; `now` in milliseconds since 1970.
 * @throws DuplicateItemException, ConditionalCheckFailedException, or ValidationException if the item does not match.
 */
export function carryOutWrite(
  storage: Storage,
  write: PreparedWrite,
  addressed: AddressedWrite,
  { returnValues, now }: { readonly returnValues: 'ALL_OLD' | 'NONE' | undefined; readonly now: number },
): WriteOutcome {
  const { table, key, wish, size } = addressed;
  if (write.type === 'insert' && wish.kind === 'put') {
    const effect = createItem(storage, { table, key, before: undefined, after: wish.item, size }, now);
    if (effect === undefined) throw duplicateItemError();
    return { effect, item: undefined };
  }
  const planned = decideWrite(storage, addressed, returnValues);
  return { effect: mutate(storage, planned.mutation, now), item: returnedItem(write, planned) };
}

function decideWrite(
  storage: Storage,
  addressed: AddressedWrite,
  returnValues: 'ALL_OLD' | 'NONE' | undefined,
): PlannedWrite {
  let planned: PlannedWrite | undefined;
  try {
    planned = planWrite(storage, addressed);
  } catch (error) {
    throw error instanceof ConditionFailure ? error.toError(returnValues) : error;
  }
  if (planned === undefined) throw new Error('a check alone is no write');
  return planned;
}
