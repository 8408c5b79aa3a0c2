import { access, constants, lstat, opendir, realpath, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

import { findPathFlaw } from '../../paths.ts';
import { type Confirm, type Deleter, type Deletion, StorageRefusal } from '../deletion.ts';
import { findPrefix, type StorageFolders } from './safe-path.ts';

/** Errors of the file system that concern the storage rather than one file. */
const wholeStorage: ReadonlySet<string> = new Set(['EROFS', 'EIO', 'ESTALE', 'ENODEV', 'EMFILE', 'ENFILE']);

/** Errors that may concern the storage rather than one file. */
const refusals: ReadonlySet<string> = new Set(['EACCES', 'EPERM', ...wholeStorage]);

/**
 * Deletes files in a folder of this machine, and nothing outside of it: a path must not leave the folder, neither by `..` nor
 * by a symbolic link on the way. A symbolic link in place of the file is deleted itself.
 *
 * @param prefix The prefix of the RSE. If it is missing or empty, its file system may not be mounted, so that the absence of
 *   a file means nothing: the storage refuses. So it does if the prefix is not below one of the folders.
 * @param folders Only files below them are deleted.
 */
export function makePosixDeleter(prefix: string, folders: StorageFolders): Deleter {
  return {
    delete: async (path, confirm) => {
      const flaw = findPathFlaw(path);
      if (flaw !== undefined) throw new Error(`nothing is deleted at the path ${path}: ${flaw}`);
      return deleteBelow(await findRoot(prefix, folders), path, confirm);
    },
    probe: async () => {
      const root = await findRoot(prefix, folders);
      await access(root, constants.W_OK).catch((error: unknown) => {
        // A folder of it may be writable even if it is not itself, but not on a file system that is not.
        if (wholeStorage.has(codeOf(error)))
          throw new StorageRefusal(`${codeOf(error)} at ${prefix}`, { cause: error });
      });
    },
  };
}

async function deleteBelow(root: string, path: string, confirm: Confirm): Promise<Deletion> {
  const target = join(root, path);
  if (!target.startsWith(root + sep)) throw new Error(`the path ${path} names no file`);
  try {
    const parent = await realpath(dirname(target));
    if (!`${parent}${sep}`.startsWith(root + sep)) throw new Error(`the path ${path} leaves its folder by a link`);
    const place = join(parent, basename(target));
    const found = await lstat(place);
    if (found.isDirectory()) throw new Error(`EISDIR: ${path} is a folder`);
    if (!(await confirm())) return { outcome: 'kept' };
    await unlink(place);
    // A link, and one name of several, free nothing.
    return { outcome: 'deleted', bytes: found.isFile() && found.nlink === 1 ? found.size : 0 };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { outcome: 'absent' };
    throw refusals.has(code) ? new StorageRefusal(`${code} at ${path}`, { cause: error }) : error;
  }
}

/** The folder of a prefix, without symbolic links and without a slash at the end. */
async function findRoot(prefix: string, folders: StorageFolders): Promise<string> {
  try {
    const root = await findPrefix(prefix, folders);
    if (root === undefined) throw new StorageRefusal(`ENOENT at ${prefix}`);
    if (root === sep) throw new StorageRefusal('the prefix is the whole file system');
    if (await isEmpty(root)) throw new StorageRefusal(`${prefix} is empty: its file system may not be mounted`);
    return root;
  } catch (error) {
    if (error instanceof StorageRefusal) throw error;
    const code = codeOf(error);
    throw new StorageRefusal(code === '' ? (error as Error).message : `${code} at ${prefix}`, { cause: error });
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
