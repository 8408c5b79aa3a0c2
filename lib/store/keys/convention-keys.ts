import { decode, encode, join, type Key, part } from './key-parts.ts';

/** The keys of metadata conventions. */
export const conventionKeys = {
  convention: (key: string): Key => ({ PK: 'CONVENTIONS', SK: join('KEY', encode(key)) }),
  conventions: { from: 'KEY#', to: 'KEY$' },
  partition: (key: string): string => join('CONVENTION', encode(key)),
  value: (key: string, value: string): Key => ({
    PK: conventionKeys.partition(key),
    SK: join('VALUE', encode(value)),
  }),
  values: { from: 'VALUE#', to: 'VALUE$' },
} as const;

/** Reads the key of a metadata convention, or a value of one, back out of a sort key. */
export function conventionTextOf({ SK }: Key): string {
  return decode(part(SK, 1));
}
