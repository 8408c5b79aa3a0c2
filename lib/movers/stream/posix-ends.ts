import { type FileHandle, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { ContentSum, type SummedContent } from '../content-sum.ts';
import { type Leftovers, partKey, partName } from '../leftovers.ts';
import type { CopyResult } from '../mover.ts';
import { createFile, findFacts, giveName, readFileFrom, sumFileIfThere, writeAll } from '../posix/file-content.ts';
import { takeParts } from '../posix/leftover-parts.ts';
import { hasCode, type StorageFile } from '../posix/safe-path.ts';
import type { ContentSource } from './content.ts';
import { requireContent, type StreamJob, type StreamTarget } from './target.ts';

/** A file of this machine as the source of a copy. */
export function posixSource(pfn: string, { path }: StorageFile): ContentSource {
  return {
    pfn,
    head: () => findSize(path),
    hasSibling: async (name) => (await findFacts(join(dirname(path), name))) !== undefined,
    read: (start, signal) => readFileFrom(path, start, signal),
  };
}

/** A file of this machine as the destination of a copy: written beside its place, read again, and then given its name. */
export function posixTarget(file: StorageFile, leftovers: Leftovers, signal: AbortSignal): StreamTarget {
  return {
    head: () => findSize(file.path),
    putSibling: async (name) => (await createFile(join(file.folder, name))).close(),
    hasSibling: async (name) => (await findFacts(join(file.folder, name))) !== undefined,
    removeSibling: (name) => rm(join(file.folder, name), { force: true }),
    clean: async () => {
      for (const path of await takeParts(file, leftovers)) await rm(path, { force: true });
    },
    sum: async () => requireThere(await sumFileIfThere(file.path, signal), file.path),
    write: async (copy, present) => {
      const temporary = join(file.folder, partName(file.path, copy.job.id));
      const parts = await takeParts(file, leftovers);
      try {
        const sent = await writeFile(temporary, copy, await findLongest(parts));
        requireContent(copy.wanted, sent, copy.job.source.pfn);
        // Reads the written file again: the storage may have kept another content.
        const written = requireThere(await sumFileIfThere(temporary, signal), temporary);
        requireContent(sent, written, copy.job.destination.pfn);
        signal.throwIfAborted();
        copy.job.requireLease();
        await giveName(temporary, file, present !== undefined);
        return written satisfies CopyResult;
      } finally {
        // What was read of an earlier attempt is in no doubt later: if it was wrong, the next attempt begins anew.
        for (const path of parts) await rm(path, { force: true });
        if (isStopped(signal)) leftovers.leave(file.folder, { key: partKey(file.path), name: basename(temporary) });
        else await rm(temporary, { force: true });
      }
    },
  };
}

/** A copy that was stopped is continued by the next attempt. */
const isStopped = ({ aborted }: AbortSignal) => aborted;

/** The size of a file of this machine. */
async function findSize(path: string): Promise<{ readonly bytes: bigint } | undefined> {
  const facts = await findFacts(path);
  return facts === undefined ? undefined : { bytes: facts.size };
}

function requireThere(found: SummedContent | undefined, path: string): SummedContent {
  if (found === undefined) throw new Error(`${path} is not there any more.`);
  return found;
}

/** The longest of the parts that earlier attempts have left. */
async function findLongest(paths: readonly string[]): Promise<string | undefined> {
  const sizes = await Promise.all(paths.map(async (path) => [path, (await findSize(path))?.bytes ?? 0n] as const));
  return sizes.toSorted(([, one], [, other]) => Number(other - one))[0]?.[0];
}

/**
 * Writes a new file: what an earlier attempt has left, and the rest from the source. The old file is read rather than continued,
 * since a process that was frozen may still write to it.
 */
async function writeFile(path: string, copy: StreamJob, part: string | undefined): Promise<SummedContent> {
  const sum = new ContentSum();
  const file: FileHandle = await createFile(path);
  const add = async (chunk: Uint8Array) => {
    sum.update(chunk);
    await writeAll(file, chunk);
  };
  try {
    for await (const chunk of part === undefined ? [] : readPart(part, copy)) await add(chunk);
    for await (const chunk of copy.read(sum.bytes)) await add(chunk);
    await file.sync();
    return sum.digest();
  } finally {
    await file.close();
  }
}

/** Reads a part, no more of it than the file has. */
async function* readPart(path: string, { wanted, signal }: StreamJob): AsyncGenerator<Uint8Array> {
  let left = Number(wanted.bytes);
  try {
    for await (const chunk of readFileFrom(path, 0, signal)) {
      const used = chunk.subarray(0, left);
      left -= used.length;
      yield used;
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
