import { invalid } from '../errors.ts';
import type { Path } from '../expressions/path.ts';
import type { Update } from '../expressions/update.ts';
import { type IndexDefinition, projectItem, type TableDefinition } from '../schema/definition.ts';
import { type AttributeValue, attributeOf, type Item, typeOf, type ValueType } from '../values/attribute-value.ts';
import {
  encodeKeyValue,
  type KeyAttribute,
  type KeyAttributes,
  listKeyAttributes,
  noEmptyValue,
} from '../values/key.ts';
import { itemSize } from '../values/size.ts';

/** The most bytes that an item may have. */
export const largestItemBytes = 409_600;
const longestHashBytes = 2048;
const longestRangeBytes = 1024;

/**
 * Checks what an item that is to be put says where indexes have their keys.
 *
 * @throws ValidationException when a value is empty, too long or of another type than the index's key.
 */
export function checkIndexKeys(item: Item, table: TableDefinition): void {
  checkKeys(item, table, ofPuts);
}

/**
 * Checks what an update has made of an item where indexes have their keys.
 *
 * @throws ValidationException when a value is empty, too long or of another type than the index's key.
 */
export function checkUpdatedIndexKeys(item: Item, table: TableDefinition): void {
  checkKeys(item, table, ofUpdates);
}

/**
 * Checks an update of attributes that indexes have in their keys, as far as that goes without the item.
 *
 * @throws ValidationException when one gets another type.
 */
export function checkIndexTypes({ indexes }: TableDefinition, { paths, types = [] }: Update): void {
  for (const index of indexes) {
    for (const attribute of listKeyAttributes(index.keys)) {
      const at = paths.findIndex((path) => path.length === 1 && path[0] === attribute.name);
      const type = types[at];
      if (type !== undefined && type !== attribute.type) throw wrongType(attribute, type, index);
    }
  }
}

const wrongType = ({ name, type }: KeyAttribute, actual: ValueType, index: IndexDefinition) =>
  invalid(
    `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} ` +
      `Actual: ${actual} IndexName: ${index.name}`,
  );

/** What writes are told of values that do not suit the key of an index. */
interface Messages {
  wrongType(attribute: KeyAttribute, actual: ValueType, index: IndexDefinition): Error;
  empty(attribute: KeyAttribute, index: IndexDefinition): Error;
}

const ofPuts: Messages = {
  wrongType,
  empty: (attribute, index) =>
    invalid(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `${noEmptyValue(attribute.type)} IndexName: ${index.name}, IndexKey: ${attribute.name}`,
    ),
};

const ofUpdates: Messages = {
  wrongType: () => invalid('The update expression attempted to update the secondary index key to unsupported type'),
  empty: (attribute) =>
    invalid(
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

/** Whether an index that is added to a table can have an item. */
export function suitsIndex(item: Item, index: IndexDefinition): boolean {
  return findProblem(item, index, ofPuts) === undefined;
}

function findProblem(item: Item, index: IndexDefinition, messages: Messages): Error | undefined {
  for (const attribute of listKeyAttributes(index.keys)) {
    const value = attributeOf(item, attribute.name);
    if (value === undefined) continue;
    if (typeOf(value) !== attribute.type) return messages.wrongType(attribute, typeOf(value), index);
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
  const { length } = encodeKeyValue(value);
  if (length === 0) return messages.empty(attribute, index);
  const isHash = isHashAttribute(attribute, index.keys);
  if (length <= (isHash ? longestHashBytes : longestRangeBytes)) return undefined;
  return invalid(
    isHash
      ? 'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
      : 'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
  );
}

function isHashAttribute({ name }: KeyAttribute, { hash, more }: KeyAttributes): boolean {
  return name === hash.name || more?.hash.some((other) => other.name === name) === true;
}

/** @throws ValidationException when a path goes into a key attribute, which has no parts. */
export function refuseKeyPaths({ keys, indexes }: TableDefinition, paths: readonly Path[]): void {
  for (const [name, ...rest] of paths) {
    if (rest.length === 0) continue;
    const isKey = listKeyAttributes(keys).some((attribute) => attribute.name === name);
    if (!isKey && !indexes.some((index) => listKeyAttributes(index.keys).some((one) => one.name === name))) continue;
    throw invalid(
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " +
        `${isKey ? 'Key' : 'IndexKey'}: ${name}`,
    );
  }
}

/** Items of so few bytes may have their entries in five local indexes besides. */
const smallItemBytes = Math.floor(largestItemBytes / 6);

/**
 * Checks the size of an item with its entries in local indexes.
 *
 * @throws ValidationException when it is larger than DynamoDB takes.
 */
export function checkItemSize(item: Item, table: TableDefinition, message: string): void {
  const size = itemSize(item);
  if (size > smallItemBytes && size + sizeOfLocalEntries(item, table) > largestItemBytes) throw invalid(message);
}

function sizeOfLocalEntries(item: Item, table: TableDefinition): number {
  const local = table.indexes.filter(({ kind, keys }) => kind === 'local' && hasAttributes(item, keys));
  return local.reduce((sum, index) => sum + itemSize(projectItem(item, table, index)), 0);
}

const hasAttributes = (item: Item, keys: KeyAttributes) =>
  listKeyAttributes(keys).every(({ name }) => attributeOf(item, name) !== undefined);
