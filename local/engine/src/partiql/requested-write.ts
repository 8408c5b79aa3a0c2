import { EngineError, validationError } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';
import type { RequestedWrite } from '../items/plan-write.ts';
import type { TableDefinition } from '../schema/definition.ts';
import { emptyItem, type Item } from '../values/attribute-value.ts';
import type { Binding } from './bind.ts';
import { findItemKey, requireKeyValues } from './item-key.ts';
import type { PreparedWrite } from './prepare.ts';
import type { InsertStatement } from './syntax.ts';

/** The error of an INSERT of an existing item. */
export function duplicateItemError(): EngineError {
  return new EngineError('DuplicateItemException', 'Duplicate primary key exists in table');
}

const isAbsent = conditionOf((item) => item === undefined);

/**
 * The requested write of a statement.
 *
 * @throws ValidationException if it does not name one item.
 */
export function toRequestedWrite(write: PreparedWrite, { keys }: TableDefinition): RequestedWrite {
  if (write.type === 'insert')
    return { kind: 'put', item: itemOf(write.statement, write.binding), condition: isAbsent };
  const found = findItemKey(write.statement.where, keys, write.binding);
  if (write.type === 'exists') {
    if (found?.hasMore !== true)
      throw validationError('EXISTS() must contain a single item read with additional condition');
    return { kind: 'check', key: found.key, condition: ofPresent(write.test) };
  }
  if (found === undefined)
    throw validationError('Where clause does not contain a mandatory equality on all key attributes');
  const { key, hasMore } = found;
  if (write.type === 'update') return { kind: 'update', key, update: write.update, condition: ofPresent(write.test) };
  const { test } = write;
  // Deleting a missing item succeeds, whatever the condition.
  const condition = hasMore ? conditionOf((item) => item === undefined || test?.(item) !== false) : undefined;
  return { kind: 'delete', key, condition };
}

/**
 * Checks the key of a requested write as PartiQL does.
 *
 * @throws ValidationException if a key attribute is missing, empty or of another type.
 */
export function requireKeyOfWrite(wish: RequestedWrite, { keys }: TableDefinition): void {
  requireKeyValues(wish.kind === 'put' ? wish.item : wish.key, keys);
}

function itemOf({ members }: InsertStatement, binding: Binding): Item {
  const item = emptyItem();
  for (const [name, value] of members) item[name] = typeof value === 'number' ? binding.parameter(value) : value;
  return item;
}

function ofPresent(test: Test | undefined): Condition {
  return conditionOf((item) => item !== undefined && test?.(item) !== false);
}

function conditionOf(test: Condition['test']): Condition {
  return { test, attributes: [], paths: [], source: 'ConditionExpression' };
}
