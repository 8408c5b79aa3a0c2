import { constants, type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { ContentSum, type SummedContent } from '../content-sum.ts';
import { findMismatch, provesContent } from '../mismatch.ts';
import type { CopyJob, CopyResult, Mover } from '../mover.ts';
import { findStorageFile, hasCode, type StorageFile, type StorageFolders } from './safe-path.ts';

/** Bytes that are read at a time. */
const chunkBytes = 1_048_576;

/** Copies between folders of this machine. */
export class PosixMover implements Mover {
  readonly name = 'posix';
  readonly schemes = ['file'];
  readonly parallel = 4;
  readonly #folders: StorageFolders;

  /** @param folders Only files below them are read and written. */
  constructor(folders: StorageFolders) {
    this.#folders = folders;
  }

  async copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult> {
    const source = await findStorageFile(job.source, this.#folders, false);
    const target = await findStorageFile(job.destination, this.#folders, true);
    if (await isSameFile(source, target)) throw new Error(`${target.path} is the same file as its source.`);
    const present = await readIfThere(target, signal);
    // An earlier attempt made the copy, and its report was lost.
    if (present !== undefined && (await this.#isCopy(job, source, present, signal))) return present;
    if (present !== undefined && !job.replaces) throw new Error(`${target.path} exists and is another file.`);
    const temporary = join(target.folder, `.${job.id}.part`);
    try {
      const read = await copyContent(source.path, temporary, signal);
      requireSame(job, read, job.source.pfn);
      // Reads the written file again: the storage may have kept another content.
      const written = await readIfThere({ folder: target.folder, path: temporary }, signal);
      if (written === undefined) throw new Error(`${temporary} is not there after it was written.`);
      requireSame(read, written, job.destination.pfn);
      signal.throwIfAborted();
      job.requireLease();
      if (present === undefined) await putUnderName(temporary, target.path);
      else await rename(temporary, target.path);
      await syncFolder(target.folder);
      return written;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Whether a file has the content of the source, byte by byte as far as its sums tell. */
  async #isCopy(job: CopyJob, source: StorageFile, present: SummedContent, signal: AbortSignal): Promise<boolean> {
    if (findMismatch(job, present) !== undefined) return false;
    const read = await readIfThere(source, signal);
    return read !== undefined && findMismatch(job, read) === undefined && provesContent(read, present);
  }
}

function requireSame(wanted: Partial<SummedContent> | CopyJob, found: SummedContent, pfn: string): void {
  const mismatch = findMismatch(wanted, found);
  if (mismatch !== undefined) throw new Error(`${pfn}: ${mismatch}`);
}

/** Whether two names are those of one file. */
async function isSameFile(one: StorageFile, other: StorageFile): Promise<boolean> {
  const found = await Promise.all([one, other].map(({ path }) => lstat(path, { bigint: true }).catch(() => undefined)));
  const [first, second] = found;
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}

/** Copies a file to a new one, and writes it to the disk. */
async function copyContent(from: string, to: string, signal: AbortSignal): Promise<SummedContent> {
  const source = await openFile(from);
  try {
    const target = await open(
      to,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o644,
    );
    try {
      const result = await readContent(source, signal, (chunk) => writeAll(target, chunk));
      await target.sync();
      return result;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Size and checksums of a file; undefined if there is none. */
async function readIfThere({ path }: StorageFile, signal: AbortSignal): Promise<SummedContent | undefined> {
  let file: FileHandle;
  try {
    file = await openFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    return await readContent(file, signal, async () => {});
  } finally {
    await file.close();
  }
}

/** @throws Error if the path is no ordinary file; a symbolic link is none. */
async function openFile(path: string): Promise<FileHandle> {
  // Opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no ordinary file.`);
}

async function readContent(
  file: FileHandle,
  signal: AbortSignal,
  use: (chunk: Uint8Array) => Promise<void>,
): Promise<SummedContent> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const sum = new ContentSum();
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return sum.digest();
    const chunk = buffer.subarray(0, bytesRead);
    sum.update(chunk);
    await use(chunk);
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
  }
}

/** Gives a file its name, unless another one has it. */
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
