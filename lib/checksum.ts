/** The kinds of checksums. */
export type ChecksumKind = 'adler32' | 'md5';

/** Spellings that callers may use: tools print an adler32 without its leading zeros. */
export const reportedChecksum = { adler32: /^[a-fA-F\d]{1,8}$/, md5: /^[a-fA-F\d]{32}$/ } as const;

const digits = { adler32: 8, md5: 32 } as const;

/** The one form of a checksum: lower-case digits, with leading zeros. */
export function normaliseChecksum(kind: ChecksumKind, text: string): string {
  return text.toLowerCase().padStart(digits[kind], '0');
}

/** Whether two texts are the same checksum. A catalogue that was moved in holds them as they were. */
export function isSameChecksum(kind: ChecksumKind, one: string, other: string): boolean {
  return one === other || normaliseChecksum(kind, one) === normaliseChecksum(kind, other);
}
