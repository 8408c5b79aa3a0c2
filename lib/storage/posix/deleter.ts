import { opendir, realpath, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

import { type Deleter, type DeletionOutcome, StorageRefusal } from '../deletion.ts';

/** Errors of the file system that concern the storage rather than one file. */
const refusals: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ESTALE',
  'ENODEV',
  'EMFILE',
  'ENFILE',
]);

/**
 * Deletes files in a folder of this machine, and nothing outside of it: a path must not leave the folder, neither by `..` nor
 * by a symbolic link on the way. A symbolic link in place of the file is deleted itself.
 *
 * @param folder The prefix of the RSE. If it is missing or empty, its file system may not be mounted, so that the absence of
 *   a file means nothing: the storage refuses.
 */
export function makePosixDeleter(folder: string): Deleter {
  return { delete: (path) => deleteBelow(folder, path) };
}

async function deleteBelow(folder: string, path: string): Promise<DeletionOutcome> {
  if (path.includes('\0') || path.split('/').includes('..')) throw new Error(`the path ${path} leaves its folder`);
  const root = await findRoot(folder);
  const target = join(root, path);
  if (!target.startsWith(root + sep)) throw new Error(`the path ${path} names no file`);
  try {
    const parent = await realpath(dirname(target));
    if (!`${parent}${sep}`.startsWith(root + sep)) throw new Error(`the path ${path} leaves its folder by a link`);
    await unlink(join(parent, basename(target)));
    return 'deleted';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    throw refusals.has(code) ? new StorageRefusal(`${code} at ${path}`, { cause: error }) : error;
  }
}

/** The folder without symbolic links and without a slash at the end. */
async function findRoot(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if (root === sep) throw new StorageRefusal('the prefix is the whole file system');
    if (await isEmpty(root)) throw new StorageRefusal(`${folder} is empty: its file system may not be mounted`);
    return root;
  } catch (error) {
    throw error instanceof StorageRefusal
      ? error
      : new StorageRefusal(`${codeOf(error)} at ${folder}`, { cause: error });
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  const entries = await opendir(folder, { bufferSize: 1 });
  try {
    return (await entries.read()) === null;
  } finally {
    await entries.close();
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
