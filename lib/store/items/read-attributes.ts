import type { Integer } from '../../integer.ts';
import { textOfKey } from '../keys/key-parts.ts';
import type { Item } from './item.ts';

/** Whether the stored value of an attribute has a type. */
export type Check<T> = (value: unknown) => value is T;

export const isText: Check<string> = (value) => typeof value === 'string';
export const isNumber: Check<number> = (value) => typeof value === 'number';
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
export const isInteger: Check<Integer> = (value) => typeof value === 'number' || typeof value === 'bigint';

/** The check of an attribute that may be missing. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

/** The check of an attribute that may be null. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** The check of a text that is one of several; the record must have them all. */
export function oneOf<T extends string>(texts: Readonly<Record<T, true>>): Check<T> {
  return (value): value is T => typeof value === 'string' && Object.hasOwn(texts, value);
}

/** The check of a list of numbers. */
export const isNumberList: Check<readonly number[]> = (value) => Array.isArray(value) && value.every(isNumber);

/** The checks of the attributes of an entity; an optional member needs a check that accepts undefined. */
export type Shape<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Check<T[K] | undefined> : Check<T[K]>;
};

/**
 * Makes a reader of some attributes of an item. Other attributes are left out.
 *
 * The reader throws an Error for a value that its check refuses: the item was not written by this code.
 */
export function attributesReader<T extends object>(shape: Shape<T>): (item: Item) => T {
  const checks = Object.entries<Check<unknown>>(shape);
  return (item) => {
    const read: Record<string, unknown> = {};
    for (const [attribute, check] of checks) {
      const value = item[attribute];
      if (!check(value)) {
        throw new Error(`the attribute ${attribute} of ${JSON.stringify(textOfKey(item))} has an unexpected type`);
      }
      if (value !== undefined) read[attribute] = value;
    }
    // Each member was checked.
    return read as T;
  };
}
