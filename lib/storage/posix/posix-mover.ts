import { createHash } from 'node:crypto';
import { constants, type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Adler32 } from '../adler32.ts';
import { findMismatch } from '../mismatch.ts';
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
    const present = await readIfThere(target, signal);
    // An earlier attempt made the copy, and its report was lost.
    if (present !== undefined && findMismatch(job, present) === undefined) return present;
    if (present !== undefined && !job.replaces) throw new Error(`${target.path} exists and is another file.`);
    const temporary = join(target.folder, `.${job.id}.part`);
    try {
      const copied = await copyContent(source.path, temporary, signal);
      const mismatch = findMismatch(job, copied);
      if (mismatch !== undefined) throw new Error(`${job.source.pfn}: ${mismatch}`);
      signal.throwIfAborted();
      if (present === undefined) await putUnderName(temporary, target.path);
      else await rename(temporary, target.path);
      await syncFolder(target.folder);
      return copied;
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

/** Copies a file to a new one, and writes it to the disk. */
async function copyContent(from: string, to: string, signal: AbortSignal): Promise<CopyResult> {
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
async function readIfThere({ path }: StorageFile, signal: AbortSignal): Promise<CopyResult | undefined> {
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

/** @throws Error for what is no ordinary file, symbolic links included. */
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
): Promise<CopyResult> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const [adler32, md5] = [new Adler32(), createHash('md5')];
  let bytes = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return { bytes, adler32: adler32.digest(), md5: md5.digest('hex') };
    const chunk = buffer.subarray(0, bytesRead);
    adler32.update(chunk);
    md5.update(chunk);
    bytes += bytesRead;
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
