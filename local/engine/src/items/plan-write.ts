import { conditionFailedError, contradictionError } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import type { Path } from '../expressions/path.ts';
import type { Update } from '../expressions/update.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { Item } from '../values/attribute-value.ts';
import { type KeyBytes, listKeyAttributes, readKey, readKeyOfItem } from '../values/key.ts';
import {
  checkIndexKeys,
  checkIndexTypes,
  checkItemSize,
  checkUpdatedIndexKeys,
  requireNoKeyPaths,
} from './check-item.ts';
import { ExistingItem } from './existing-item.ts';
import type { Mutation } from './mutate.ts';

/** The requested write of one item, with all checks that do not need the item. */
export type RequestedWrite =
  | { readonly kind: 'put'; readonly item: Item; readonly condition?: Condition | undefined }
  | { readonly kind: 'delete'; readonly key: Item; readonly condition?: Condition | undefined }
  | {
      readonly kind: 'update';
      readonly key: Item;
      readonly update?: Update | undefined;
      readonly condition?: Condition | undefined;
    }
  | { readonly kind: 'check'; readonly key: Item; readonly condition: Condition };

/** A write that will be carried out. */
export interface PlannedWrite {
  readonly mutation: Mutation;
  /** The paths that an update writes. */
  readonly paths: readonly Path[];
}

/** A requested write with the key of its item. */
export interface AddressedWrite {
  readonly table: TableDefinition;
  readonly key: KeyBytes;
  readonly wish: RequestedWrite;
  /** Bytes of the item to put; 0 for other writes. */
  readonly size: number;
}

/**
 * Checks a requested write against the table's schema.
 *
 * @throws ValidationException if key, item or update do not match the table.
 */
export function locateWrite(table: TableDefinition, wish: RequestedWrite): AddressedWrite {
  if (wish.kind === 'put') {
    const key = readKeyOfItem(wish.item, table.keys);
    checkIndexKeys(wish.item, table);
    const size = checkItemSize(wish.item, table, 'Item size has exceeded the maximum allowed size');
    requireNoKeyPaths(table, wish.condition?.paths ?? []);
    return { table, key, wish, size };
  }
  const key = readKey(wish.key, table.keys);
  requireNoKeyPaths(table, wish.condition?.paths ?? []);
  if (wish.kind === 'update' && wish.update !== undefined) {
    requireNoKeyUpdates(table, wish.update);
    checkIndexTypes(table, wish.update);
    requireNoKeyPaths(table, [...wish.update.paths, ...wish.update.reads]);
  }
  return { table, key, wish, size: 0 };
}

function requireNoKeyUpdates({ keys }: TableDefinition, update: Update): void {
  for (const { name } of listKeyAttributes(keys)) {
    if (update.paths.some(([first]) => first === name)) {
      throw contradictionError(`Cannot update attribute ${name}. This attribute is part of the key`);
    }
  }
}

/** A false condition, with the item if the request asks for it. */
export class ConditionFailure extends Error {
  readonly existing: ExistingItem | undefined;

  constructor(existing: ExistingItem | undefined) {
    super('The conditional request failed');
    this.existing = existing;
  }

  /** The error for a request on a single item. */
  toError(returnValues: 'ALL_OLD' | 'NONE' | undefined): Error {
    return conditionFailedError(
      returnValues === 'ALL_OLD' && this.existing !== undefined ? { Item: this.existing.item } : {},
    );
  }
}

/**
 * Decides a write of an item.
 *
 * @returns undefined for a mere check.
 * @throws ConditionFailure; ValidationException if the update does not match the item.
 */
export function planWrite(storage: Storage, { table, key, wish, size }: AddressedWrite): PlannedWrite | undefined {
  const stored = storage.items.get(table.id, key);
  const before = stored === undefined ? undefined : new ExistingItem(stored);
  if (wish.condition !== undefined && !wish.condition.test(before?.item)) throw new ConditionFailure(before);
  switch (wish.kind) {
    case 'put':
      return { mutation: { table, key, before, after: wish.item, size }, paths: [] };
    case 'delete':
      return { mutation: { table, key, before, after: undefined, size: 0 }, paths: [] };
    case 'update': {
      const after = wish.update?.apply(before?.item ?? wish.key, before === undefined) ?? before?.item ?? wish.key;
      // An update that only removes attributes creates no item.
      if (
        before === undefined &&
        wish.update !== undefined &&
        isOnlyKey(after, table) &&
        wish.update.paths.length > 0
      ) {
        return { mutation: { table, key, before, after: undefined, size: 0 }, paths: wish.update.paths };
      }
      if (wish.update !== undefined) checkUpdatedIndexKeys(after, table);
      const newSize = checkItemSize(after, table, 'Item size to update has exceeded the maximum allowed size');
      return { mutation: { table, key, before, after, size: newSize }, paths: wish.update?.paths ?? [] };
    }
    default:
      return undefined;
  }
}

function isOnlyKey(item: Item, { keys }: TableDefinition): boolean {
  return Object.keys(item).length === listKeyAttributes(keys).length;
}
