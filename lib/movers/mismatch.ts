import { isSameChecksum } from '../checksum.ts';
import type { Integer } from '../integer.ts';

/** Size and checksums of a copy, as far as they are known. */
export interface CopiedContent {
  readonly bytes?: Integer | undefined;
  readonly adler32?: string | undefined;
  readonly md5?: string | undefined;
}

/** The first difference of a copy from the file in the catalogue; undefined: none in the facts that are known of both. */
export function findMismatch(wanted: CopiedContent, copy: CopiedContent): string | undefined {
  if (wanted.bytes !== undefined && copy.bytes !== undefined && BigInt(wanted.bytes) !== BigInt(copy.bytes)) {
    return `The copy has ${copy.bytes} bytes, the file ${wanted.bytes}.`;
  }
  for (const [kind, one, other] of checksumPairs(wanted, copy)) {
    if (!isSameChecksum(kind, one, other)) return `The copy has the ${kind} ${other}, the file ${one}.`;
  }
  return undefined;
}

/**
 * Whether what is known of both proves that a copy has the content of a file: they differ in nothing, and a checksum of one
 * kind is known of both. A size proves nothing, unless it is 0.
 */
export function provesContent(wanted: CopiedContent, copy: CopiedContent): boolean {
  if (findMismatch(wanted, copy) !== undefined) return false;
  return checksumPairs(wanted, copy).length > 0 || (isEmpty(wanted) && isEmpty(copy));
}

/** Whether the content of a file is known: a checksum, or that it is empty. */
export function isContentKnown(content: CopiedContent): boolean {
  return content.adler32 !== undefined || content.md5 !== undefined || isEmpty(content);
}

const isEmpty = ({ bytes }: CopiedContent) => bytes !== undefined && BigInt(bytes) === 0n;

/** The checksums that are known of both, by kind. */
function checksumPairs(wanted: CopiedContent, copy: CopiedContent) {
  return (['adler32', 'md5'] as const).flatMap((kind) => {
    const [one, other] = [wanted[kind], copy[kind]];
    return one === undefined || other === undefined ? [] : [[kind, one, other] as const];
  });
}
