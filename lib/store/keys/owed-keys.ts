import { join, type Key, rangeOf } from './key-parts.ts';

/** The first part of the keys below. */
const prefix = 'OWED';

const padded = (number: number) => String(number).padStart(8, '0');

/** The keys of the changes that a consumer of the stream has not followed, in packs, in the order of the changes. */
export const owedKeys = {
  partition: (consumer: string): string => join(prefix, consumer),
  pack: (consumer: string, pack: number, piece: number): Key => ({
    PK: owedKeys.partition(consumer),
    SK: join(padded(pack), padded(piece)),
  }),
  piecesOf: (pack: number) => rangeOf(padded(pack)),
} as const;

/** Reads the number of the pack out of the key of one of its pieces. */
export function packOf({ SK }: Key): number {
  return Number(SK.slice(0, SK.indexOf('#')));
}
