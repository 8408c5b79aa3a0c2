import {
  locateWrite,
  type AddressedWrite,
  ConditionFailure,
  planWrite,
  type PlannedWrite,
} from '../items/plan-write.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { PreparedWrite } from './prepare.ts';
import { duplicateItemError, requireKeyOfWrite, toRequestedWrite } from './requested-write.ts';

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

/**
 * Decides the write of a statement.
 *
 * @param returnValues Whether the caller wants the item if the condition is false.
 * @throws DuplicateItemException, ConditionalCheckFailedException, or ValidationException if the item does not match.
 */
export function decideWrite(
  storage: Storage,
  write: PreparedWrite,
  addressed: AddressedWrite,
  returnValues: 'ALL_OLD' | 'NONE' | undefined,
): PlannedWrite {
  let planned: PlannedWrite | undefined;
  try {
    planned = planWrite(storage, addressed);
  } catch (error) {
    if (!(error instanceof ConditionFailure)) throw error;
    throw write.type === 'insert' ? duplicateItemError() : error.toError(returnValues);
  }
  if (planned === undefined) throw new Error('a check alone is no write');
  return planned;
}
