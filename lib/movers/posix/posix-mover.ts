import { type FileHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { ContentSum, type SummedContent } from '../content-sum.ts';
import { Leftovers, partName } from '../leftovers.ts';
import { findMismatch, provesContent } from '../mismatch.ts';
import { type CopyEnds, type CopyJob, type CopyResult, isSamePlace, type Mover } from '../mover.ts';
import { requireOtherStorage } from '../other-storage.ts';
import { createFile, giveName, findFacts, isSameFile, readFileFrom, sumFileIfThere, writeAll } from './file-content.ts';
import { takeParts } from './leftover-parts.ts';
import { findFolderObstacle, findStorageFile, type StorageFile, type StorageFolders } from './safe-path.ts';

/** Copies between folders of this machine. */
export class PosixMover implements Mover {
  readonly name = 'posix';
  readonly schemes = ['file'];
  readonly parallel = 4;
  readonly #folders: StorageFolders;
  readonly #leftovers = new Leftovers();

  /** @param folders Only files below them are read and written. */
  constructor(folders: StorageFolders) {
    this.#folders = folders;
  }

  async findObstacle({ source, destination }: CopyEnds): Promise<string | undefined> {
    for (const place of [source, destination]) {
      const obstacle = await findFolderObstacle(place, this.#folders);
      if (obstacle !== undefined) return obstacle;
    }
    return isSamePlace(source, destination) ? `${destination.pfn} is the same file as its source.` : undefined;
  }

  async copy(job: CopyJob, signal: AbortSignal): Promise<CopyResult> {
    const source = await findStorageFile(job.source, this.#folders, false);
    const target = await findStorageFile(job.destination, this.#folders, true);
    if (await isSameFile(source.path, target.path)) throw new Error(`${target.path} is the same file as its source.`);
    // Attempts that were killed.
    for (const path of await takeParts(target, this.#leftovers)) await rm(path, { force: true });
    const present = await sumFileIfThere(target.path, signal);
    // An earlier attempt made the copy, and its report was lost.
    if (present !== undefined && (await this.#isCopy(job, source, present, signal))) {
      const name = partName(target.path, job.id);
      await requireOtherStorage(job, {
        put: async () => (await createFile(join(target.folder, name))).close(),
        isSeen: async () => (await findFacts(join(source.folder, name))) !== undefined,
        isThere: async () => (await findFacts(join(target.folder, name))) !== undefined,
        remove: () => rm(join(target.folder, name), { force: true }),
      });
      return present;
    }
    if (present !== undefined && !job.replaces) throw new Error(`${target.path} exists and is another file.`);
    const temporary = join(target.folder, partName(target.path, job.id));
    try {
      const read = await copyContent(source.path, temporary, signal);
      requireSame(job, read, job.source.pfn);
      // Reads the written file again: the storage may have kept another content.
      const written = await sumFileIfThere(temporary, signal);
      if (written === undefined) throw new Error(`${temporary} is not there after it was written.`);
      requireSame(read, written, job.destination.pfn);
      signal.throwIfAborted();
      job.requireLease();
      await giveName(temporary, target, present !== undefined);
      return written;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Whether a file has the content of the source, byte by byte as far as its sums tell. */
  async #isCopy(job: CopyJob, source: StorageFile, present: SummedContent, signal: AbortSignal): Promise<boolean> {
    if (findMismatch(job, present) !== undefined) return false;
    const read = await sumFileIfThere(source.path, signal);
    return read !== undefined && findMismatch(job, read) === undefined && provesContent(read, present);
  }
}

function requireSame(wanted: Partial<SummedContent> | CopyJob, found: SummedContent, pfn: string): void {
  const mismatch = findMismatch(wanted, found);
  if (mismatch !== undefined) throw new Error(`${pfn}: ${mismatch}`);
}

/** Copies a file to a new one, and writes it to the disk. */
async function copyContent(from: string, to: string, signal: AbortSignal): Promise<SummedContent> {
  const sum = new ContentSum();
  let target: FileHandle | undefined;
  try {
    for await (const chunk of readFileFrom(from, 0, signal)) {
      target ??= await createFile(to);
      sum.update(chunk);
      await writeAll(target, chunk);
    }
    target ??= await createFile(to);
    await target.sync();
    return sum.digest();
  } finally {
    await target?.close();
  }
}
