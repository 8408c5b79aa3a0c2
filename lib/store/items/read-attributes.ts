import type { Integer } from '../../integer.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';
import type { Item } from './item.ts';

/** Whether a stored value has a type. */
export type Check<T> = (value: unknown) => value is T;

/** A stored map, or an item. */
type Attributes = Readonly<Record<string, unknown>>;

export const isText: Check<string> = (value) => typeof value === 'string';
export const isNumber: Check<number> = (value) => typeof value === 'number';
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
export const isInteger: Check<Integer> = (value) => typeof value === 'number' || typeof value === 'bigint';
export const isBytes: Check<Uint8Array> = (value) => value instanceof Uint8Array;
export const isRecord: Check<Attributes> = (value): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The check of an attribute that may be missing. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

/** The check of an attribute that may be null. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** The check of a text that is one of several; the record must have them all as keys. */
export function oneOf<T extends string>(texts: Readonly<Record<T, unknown>>): Check<T> {
  return (value): value is T => typeof value === 'string' && Object.hasOwn(texts, value);
}

/** The check of a list. */
export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}

/** The check of a map with any keys. */
export function recordOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => {
    if (!isRecord(value)) return false;
    for (const key in value) if (!check(value[key])) return false;
    return true;
  };
}

/** The checks of the attributes of an entity; an optional member needs a check that accepts undefined. */
export type Shape<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Check<T[K] | undefined> : Check<T[K]>;
};

function checksOf<T extends object>(shape: Shape<T>) {
  const checks = new Map(Object.entries<Check<unknown>>(shape));
  return { checks, required: [...checks.keys()].filter((member) => checks.get(member)?.(undefined) === false) };
}

/** The check of a map with the members of a shape; it may have others. */
export function hasShape<T extends object>(shape: Shape<T>): Check<T> {
  const { checks, required } = checksOf(shape);
  return (value): value is T => {
    if (!isRecord(value)) return false;
    // Of many optional members few are present.
    for (const member in value) if (checks.get(member)?.(value[member]) === false) return false;
    return required.every((member) => value[member] !== undefined);
  };
}

/**
 * Reads one attribute of an item.
 *
 * @throws Error for a value that the check refuses: the item was not written by this code.
 */
export function readAttribute<T>(item: Partial<Key> & Attributes, attribute: string, check: Check<T>): T {
  const value = item[attribute];
  return check(value) ? value : failUnexpected(item, attribute);
}

function failUnexpected({ PK = '', SK = '' }: Partial<Key>, attribute: string): never {
  throw new Error(`the attribute ${attribute} of ${JSON.stringify(textOfKey({ PK, SK }))} has an unexpected type`);
}

/**
 * Makes a reader of some attributes of an item. Other attributes are left out.
 *
 * The reader throws as {@link readAttribute}.
 */
export function attributesReader<T extends object>(shape: Shape<T>): (item: Item) => T {
  const checks = Object.entries<Check<unknown>>(shape);
  return (item) => {
    const read: Record<string, unknown> = {};
    for (const [attribute, check] of checks) {
      const value = readAttribute(item, attribute, check);
      if (value !== undefined) read[attribute] = value;
    }
    // Each member was checked.
    return read as T;
  };
}

/** Adds the attributes of an item to an object; `readOther` is called for each attribute that is not of the shape. */
type ItemReader<T> = <O extends Record<string, unknown>>(
  item: Item,
  object: O,
  readOther: (attribute: string, value: unknown) => void,
) => O & T;

/**
 * Makes a reader of items with many attributes, some of which have composed names: one pass over the item.
 *
 * The reader throws as {@link readAttribute}.
 */
export function itemReader<T extends object>(shape: Shape<T>): ItemReader<T> {
  const { checks, required } = checksOf(shape);
  return <O extends Record<string, unknown>>(
    item: Item,
    object: O,
    readOther: (attribute: string, value: unknown) => void,
  ) => {
    const read: Record<string, unknown> = object;
    for (const attribute in item) {
      const check = checks.get(attribute);
      const value = item[attribute];
      if (check === undefined) readOther(attribute, value);
      else if (!check(value)) failUnexpected(item, attribute);
      else if (value !== undefined) read[attribute] = value;
    }
    for (const attribute of required) if (read[attribute] === undefined) failUnexpected(item, attribute);
    // Each member was checked.
    return object as O & T;
  };
}
