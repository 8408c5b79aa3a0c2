import { lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type Leftover, type Leftovers, readPartName } from '../leftovers.ts';
import type { StorageFile } from './safe-path.ts';

/** Takes the paths of what earlier attempts to write a file have left beside it: they were killed. */
export async function takeParts({ folder, path }: StorageFile, leftovers: Leftovers): Promise<readonly string[]> {
  const left = await leftovers.take(folder, path, {
    list: () => listParts(folder),
    remove: ({ name }) => rm(join(folder, name), { force: true }),
  });
  return left.map(({ name }) => join(folder, name));
}

async function listParts(folder: string): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for await (const { name } of await opendir(folder)) {
    const part = readPartName(name);
    // It may have got its name by now.
    const facts = part === undefined ? undefined : await lstat(join(folder, name)).catch(() => undefined);
    // A folder or a link of this name is nothing that a mover has made.
    if (part !== undefined && facts?.isFile() === true) found.push({ ...part, writtenAt: facts.mtimeMs });
  }
  return found;
}
