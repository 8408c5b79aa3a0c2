import { decode, encode, join, type Key, part, rangeOf } from './key-parts.ts';

/** The keys of the configuration. */
export const configKeys = {
  /** All options share one partition, so that one query reads the configuration. */
  partition: 'CONFIG',
  option: (section: string, option: string): Key => ({
    PK: configKeys.partition,
    SK: join(encode(section), encode(option)),
  }),
  section: (section: string) => rangeOf(encode(section)),
} as const;

/** Reads section and option back out of the sort key of an option. */
export function configOptionOf({ SK }: Key): { section: string; option: string } {
  return { section: decode(part(SK, 0)), option: decode(part(SK, 1)) };
}
