import type { Integer } from '../integer.ts';

/** Size and checksums of a copy, as far as they are known. */
export interface CopiedContent {
  readonly bytes?: Integer | undefined;
  readonly adler32?: string | undefined;
  readonly md5?: string | undefined;
}

/** In what a copy differs from the file that the catalogue knows; undefined: in nothing that both know. */
export function findMismatch({ bytes, adler32, md5 }: CopiedContent, copy: CopiedContent): string | undefined {
  if (bytes !== undefined && copy.bytes !== undefined && BigInt(bytes) !== BigInt(copy.bytes)) {
    return `The copy has ${copy.bytes} bytes, the file ${bytes}.`;
  }
  for (const [kind, wanted, found] of [
    ['adler32', adler32, copy.adler32],
    ['md5', md5, copy.md5],
  ] as const) {
    if (wanted !== undefined && found !== undefined && wanted.toLowerCase() !== found.toLowerCase()) {
      return `The copy has the ${kind} ${found}, the file ${wanted}.`;
    }
  }
  return undefined;
}
