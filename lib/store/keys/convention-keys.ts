import { decode, encode, join, type Key, part, rangeOf } from './key-parts.ts';

/** The first parts of the keys below. */
const prefixes = { conventions: 'CONVENTIONS', key: 'KEY', convention: 'CONVENTION', value: 'VALUE' } as const;

/** The keys of metadata conventions. */
export const conventionKeys = {
  convention: (key: string): Key => ({ PK: prefixes.conventions, SK: join(prefixes.key, encode(key)) }),
  conventions: rangeOf(prefixes.key),
  partition: (key: string): string => join(prefixes.convention, encode(key)),
  value: (key: string, value: string): Key => ({
    PK: conventionKeys.partition(key),
    SK: join(prefixes.value, encode(value)),
  }),
  values: rangeOf(prefixes.value),
} as const;

/** Reads the key of a metadata convention, or a value of one, back out of a sort key. */
export function conventionTextOf({ SK }: Key): string {
  return decode(part(SK, 1));
}
