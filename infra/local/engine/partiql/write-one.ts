import {
  addressWish,
  type AddressedWish,
  ConditionFailure,
  planWrite,
  type PlannedWrite,
} from '../items/plan-write.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { PreparedWrite } from './prepare.ts';
import { duplicateItem, requireKeyOfWish, wishOf } from './wishes.ts';

/**
 * Finds the item that a statement writes.
 *
 * @throws ValidationException when the statement does not suit its table.
 */
export function addressWrite(write: PreparedWrite, table: TableDefinition): AddressedWish {
  const wish = wishOf(write, table);
  requireKeyOfWish(wish, table);
  return addressWish(table, wish);
}

/**
 * Decides what becomes of the item of a statement.
 *
 * @param returnValues Whether the caller wants to see the item on which the condition failed.
 * @throws DuplicateItemException, ConditionalCheckFailedException, or ValidationException when the item does not fit.
 */
export function decideWrite(
  storage: Storage,
  write: PreparedWrite,
  addressed: AddressedWish,
  returnValues: 'ALL_OLD' | 'NONE' | undefined,
): PlannedWrite {
  let planned: PlannedWrite | undefined;
  try {
    planned = planWrite(storage, addressed);
  } catch (error) {
    if (!(error instanceof ConditionFailure)) throw error;
    throw write.type === 'insert' ? duplicateItem() : error.toError(returnValues);
  }
  if (planned === undefined) throw new Error('a check alone is no write');
  return planned;
}
