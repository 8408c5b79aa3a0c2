import { contradictionError, validationError } from '../errors.ts';
import type { Path } from '../expressions/path.ts';
import type { Update } from '../expressions/update.ts';
import { type IndexDefinition, projectItem, type TableDefinition } from '../schema/definition.ts';
import { type AttributeValue, attributeOf, type Item, typeOf, type ValueType } from '../values/attribute-value.ts';
import {
  hasKey,
  type KeyAttribute,
  type KeyAttributes,
  listKeyAttributes,
  longHashError,
  longRangeError,
  maxHashBytes,
  maxRangeBytes,
  measureKeyValue,
  noEmptyValue,
} from '../values/key.ts';
import { itemSize, maxItemBytes } from '../values/size.ts';

/**
 * Checks the attributes of a new item that are keys of indexes.
 *
 * @throws ValidationException for a value that is empty, too long or of another type than the index's key.
 */
export function checkIndexKeys(item: Item, table: TableDefinition): void {
  checkKeys(item, table, ofPuts);
}

/**
 * Checks the attributes of an updated item that are keys of indexes.
 *
 * @throws ValidationException for a value that is empty, too long or of another type than the index's key.
 */
export function checkUpdatedIndexKeys(item: Item, table: TableDefinition): void {
  checkKeys(item, table, ofUpdates);
}

/**
 * Checks the types that an update gives to keys of indexes, where that needs no item.
 *
 * @throws ValidationException for another type.
 */
export function checkIndexTypes({ indexes }: TableDefinition, { paths, types = [] }: Update): void {
  for (const index of indexes) {
    for (const attribute of listKeyAttributes(index.keys)) {
      const at = paths.findIndex((path) => path.length === 1 && path[0] === attribute.name);
      const type = types[at];
      if (type !== undefined && type !== attribute.type) throw wrongTypeError(attribute, type, index);
    }
  }
}

const wrongTypeError = ({ name, type }: KeyAttribute, actual: ValueType, index: IndexDefinition) =>
  contradictionError(
    `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${actual} IndexName: ${index.name}`,
  );

/** Error messages for values that do not match the key of an index. */
interface Messages {
  wrongTypeError(attribute: KeyAttribute, actual: ValueType, index: IndexDefinition): Error;
  empty(attribute: KeyAttribute, index: IndexDefinition): Error;
}

const ofPuts: Messages = {
  wrongTypeError,
  empty: (attribute, index) =>
    validationError(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `${noEmptyValue(attribute.type)} IndexName: ${index.name}, IndexKey: ${attribute.name}`,
    ),
};

const ofUpdates: Messages = {
  wrongTypeError: () =>
    validationError('The update expression attempted to update the secondary index key to unsupported type'),
  empty: (attribute) =>
    validationError(
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key ' +
        `to a value that is not supported. ${noEmptyValue(attribute.type)}`,
    ),
};

function checkKeys(item: Item, { indexes }: TableDefinition, messages: Messages): void {
  for (const index of indexes) {
    const problem = findProblem(item, index, messages);
    if (problem !== undefined) throw problem;
  }
}

/** Whether a new index of a table can contain an item. */
export function suitsIndex(item: Item, index: IndexDefinition): boolean {
  return findProblem(item, index, ofPuts) === undefined;
}

function findProblem(item: Item, index: IndexDefinition, messages: Messages): Error | undefined {
  for (const attribute of listKeyAttributes(index.keys)) {
    const value = attributeOf(item, attribute.name);
    if (value === undefined) continue;
    if (typeOf(value) !== attribute.type) return messages.wrongTypeError(attribute, typeOf(value), index);
    const problem = findLengthProblem(value, attribute, index, messages);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findLengthProblem(
  value: AttributeValue,
  attribute: KeyAttribute,
  index: IndexDefinition,
  messages: Messages,
): Error | undefined {
  const length = measureKeyValue(value);
  if (length === 0) return messages.empty(attribute, index);
  const isHash = isHashAttribute(attribute, index.keys);
  if (length <= (isHash ? maxHashBytes : maxRangeBytes)) return undefined;
  return isHash ? longHashError() : longRangeError();
}

function isHashAttribute({ name }: KeyAttribute, { hash, more }: KeyAttributes): boolean {
  return name === hash.name || more?.hash.some((other) => other.name === name) === true;
}

/** The error of a path into a key attribute. */
export const keyPathError = (kind: 'Key' | 'IndexKey', name: string | number | undefined) =>
  validationError(
    `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${kind}: ${name}`,
  );

/** @throws ValidationException if a path leads into a key attribute, which has no members. */
export function requireNoKeyPaths({ keys, indexes }: TableDefinition, paths: readonly Path[]): void {
  for (const [name, ...rest] of paths) {
    if (rest.length === 0) continue;
    const isKey = listKeyAttributes(keys).some((attribute) => attribute.name === name);
    if (!isKey && !indexes.some((index) => listKeyAttributes(index.keys).some((one) => one.name === name))) continue;
    throw keyPathError(isKey ? 'Key' : 'IndexKey', name);
  }
}

/** Items up to this size always fit together with entries in five local indexes. */
const indexableItemBytes = Math.floor(maxItemBytes / 6);

/**
 * Checks the size of an item together with its entries in local indexes.
 *
 * @returns the bytes of the item alone.
 * @throws ValidationException if it is above DynamoDB's limit.
 */
export function checkItemSize(item: Item, table: TableDefinition, message: string): number {
  const size = itemSize(item);
  if (size > indexableItemBytes && size + sizeOfLocalEntries(item, table) > maxItemBytes)
    throw validationError(message);
  return size;
}

function sizeOfLocalEntries(item: Item, table: TableDefinition): number {
  const local = table.indexes.filter(({ kind, keys }) => kind === 'local' && hasKey(item, keys));
  return local.reduce((sum, index) => sum + itemSize(projectItem(item, table, index)), 0);
}
