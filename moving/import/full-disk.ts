import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Free bytes below which a failure is taken for that of a full disk. */
const scarceBytes = 16 * 1024 ** 2;

/**
 * Explains a failure that a full disk may have caused; any other is returned as it is.
 *
 * @param paths What the import writes to.
 */
export function explainFullDisk(error: unknown, paths: readonly string[], freeBytes = freeBytesAt): unknown {
  const full = paths.find((path) => freeBytes(path) < scarceBytes);
  if (full === undefined) return error;
  return new Error(`The disk of ${full} is full: make room there.`, { cause: error });
}

function freeBytesAt(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
