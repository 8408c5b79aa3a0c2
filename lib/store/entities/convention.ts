import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { attributesReader, isText, optional } from '../items/read-attributes.ts';
import { conventionKeys, conventionTextOf } from '../keys/convention-keys.ts';
import { isEncodablePart } from '../keys/key-parts.ts';

/** The constraints on the values of a metadata key. */
export interface Convention {
  readonly key: string;
  readonly keyType: string;
  readonly valueType?: string;
  /** A regular expression that a value must match from its start on. */
  readonly valueRegexp?: string;
}

/** Whether a text can be a key or a value: not empty, and short enough for the table. */
export function isConventionText(text: string): boolean {
  return isEncodablePart(text);
}

/** The convention of a key. */
export async function getConvention(table: Table, key: string): Promise<Convention | undefined> {
  if (!isConventionText(key)) return undefined;
  const item = await table.get(conventionKeys.convention(key));
  return item === undefined ? undefined : fromItem(item);
}

/** All keys, in their order; `slice` by key. */
export function listConventionKeys(table: Table, { after, pageSize }: Slice = {}): AsyncGenerator<string> {
  const { PK: pk } = conventionKeys.convention('');
  const { SK } = after === undefined ? {} : conventionKeys.convention(after);
  return table.query({ pk, ...conventionKeys.conventions, after: SK, pageSize }, conventionTextOf);
}

/** The values of a key, in their order; `slice` by value. */
export async function* listConventionValues(
  table: Table,
  key: string,
  { after, pageSize }: Slice = {},
): AsyncGenerator<string> {
  if (!isConventionText(key)) return;
  const { SK } = after === undefined ? {} : conventionKeys.value(key, after);
  const range = { pk: conventionKeys.partition(key), ...conventionKeys.values, after: SK, pageSize };
  for await (const item of table.query(range)) yield conventionTextOf(item);
}

/** Whether a key has a value. */
export async function hasConventionValue(table: Table, key: string, value: string): Promise<boolean> {
  return isConventionText(value) && (await table.get(conventionKeys.value(key, value))) !== undefined;
}

/** The write that adds a key. */
export function insertConvention({ key, ...attributes }: Convention, now: number, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...conventionKeys.convention(key), ...attributes, createdAt: now }, onExists };
}

/** The write that adds a value of a key. */
export function insertConventionValue(key: string, value: string, now: number, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...conventionKeys.value(key, value), createdAt: now }, onExists };
}

const readConvention = attributesReader<Omit<Convention, 'key'>>({
  keyType: isText,
  valueType: optional(isText),
  valueRegexp: optional(isText),
});

function fromItem(item: Item): Convention {
  return { key: conventionTextOf(item), ...readConvention(item) };
}
