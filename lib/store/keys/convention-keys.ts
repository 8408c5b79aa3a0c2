import { decode, encode, join, type Key, part, rangeOf } from './key-parts.ts';

// The first parts of the keys below. Constants rather than an object, and calls that are marked as pure, so that bundles
// contain only the keys that they use.
const conventionsPrefix = 'CONVENTIONS';
const keyPrefix = 'KEY';
const conventionPrefix = 'CONVENTION';
const valuePrefix = 'VALUE';

/** The keys of metadata conventions. */
export const conventionKeys = {
  convention: (key: string): Key => ({ PK: conventionsPrefix, SK: join(keyPrefix, encode(key)) }),
  conventions: rangeOf(keyPrefix),
  partition: (key: string): string => join(conventionPrefix, encode(key)),
  value: (key: string, value: string): Key => ({
    PK: conventionKeys.partition(key),
    SK: join(valuePrefix, encode(value)),
  }),
  values: rangeOf(valuePrefix),
} as const;

/** Reads the key of a metadata convention, or a value of one, back out of a sort key. */
export function conventionTextOf({ SK }: Key): string {
  return decode(part(SK, 1));
}
