import type { BigIntStats } from 'node:fs';
import { constants, type FileHandle, link, lstat, open, rename } from 'node:fs/promises';

import { ContentSum, type SummedContent } from '../content-sum.ts';
import { hasCode } from './safe-path.ts';

/** Bytes that are read at a time. */
const chunkBytes = 1_048_576;

/** Opens a file to read it. @throws Error if the path is no ordinary file; a symbolic link is none. */
export async function openFile(path: string): Promise<FileHandle> {
  // Opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no ordinary file.`);
}

/** Makes a file to write it. @throws Error if there is one of its name. */
export function createFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644);
}

/**
 * Reads a file from a byte on, in parts that are valid until the next one is asked for.
 *
 * @throws As {@link openFile}.
 */
export async function* readFileFrom(path: string, start: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const file = await openFile(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let offset = start; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) return;
      offset += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Size and checksums of a file; undefined if there is none. */
export async function sumFileIfThere(path: string, signal: AbortSignal): Promise<SummedContent | undefined> {
  const sum = new ContentSum();
  try {
    for await (const chunk of readFileFrom(path, 0, signal)) sum.update(chunk);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  return sum.digest();
}

/** Writes all bytes at the end of what was written. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
  }
}

/** What the file system tells of a file; undefined if there is none. @throws Error if that cannot be told. */
export async function findFacts(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether two names are those of one file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const found = await Promise.all([one, other].map(findFacts));
  const [first, second] = found;
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

/**
 * Gives a file its name, durably.
 *
 * @param replaces Whether it may replace another file.
 * @throws Error if another file has the name, unless it is replaced.
 */
export async function giveName(
  temporary: string,
  { folder, path }: { readonly folder: string; readonly path: string },
  replaces: boolean,
): Promise<void> {
  if (replaces) await rename(temporary, path);
  else await putUnderName(temporary, path);
  await syncFolder(folder);
}

async function putUnderName(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    // File systems without hard links cannot refuse to replace a file that has just appeared.
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) throw error;
    await rename(temporary, path);
  }
}

/** Writes the names in a folder to the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
