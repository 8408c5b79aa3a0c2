import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import type { CopyPlace } from '../mover.ts';

/** The folders below which a process may touch files, as real paths. */
export type StorageFolders = readonly string[];

/** A file of an RSE: its folder as a real path, and its name there. */
export interface StorageFile {
  readonly folder: string;
  readonly path: string;
}

/**
 * Resolves the folders that a process was given.
 *
 * @throws Error for one that cannot be made or read.
 */
export async function openStorageFolders(folders: readonly string[]): Promise<StorageFolders> {
  return Promise.all(
    folders.map(async (folder) => {
      await mkdir(folder, { recursive: true });
      return realpath(folder);
    }),
  );
}

/**
 * The file of a PFN on this machine. It must be below its prefix and below one of the folders, also after
 * all symbolic links of its folders are followed.
 *
 * @param makesFolder Makes the missing folders of the file, below the prefix.
 * @throws Error if it is not, or its folder does not exist.
 */
export async function findStorageFile(
  { pfn, prefix }: CopyPlace,
  folders: StorageFolders,
  makesFolder: boolean,
): Promise<StorageFile> {
  const path = pathOf(pfn);
  if (path === undefined || resolve(path) !== path || !path.startsWith(prefix) || path.includes('\0')) {
    throw new Error(`${pfn} is no path below the prefix ${prefix}`);
  }
  const root = await findOrMakePrefix(prefix, folders);
  const below = relative(prefix, dirname(path));
  const wanted = join(root, below);
  if (makesFolder) await makeFolders(root, below);
  const folder = await realpath(wanted);
  if (folder !== wanted) throw new Error(`${pfn} leads through a symbolic link`);
  return { folder, path: join(folder, basename(path)) };
}

/** The path of a PFN: all that follows the host. A name that begins with a slash makes two of one, which mean the same in a file system. */
function pathOf(pfn: string): string | undefined {
  return /^file:\/\/[^/]*(\/.*)$/s.exec(pfn)?.[1]?.replaceAll(/\/{2,}/g, '/');
}

/** Whether the prefix of an RSE is one of the folders or below one. One that cannot be read may be anywhere, so it is not. */
export async function isWithin(prefix: string, folders: StorageFolders): Promise<boolean> {
  try {
    await findPrefix(prefix, folders);
    return true;
  } catch {
    return false;
  }
}

/** Why a process that may use some folders cannot use a place; undefined: it can. */
export async function findFolderObstacle(
  { prefix, rse }: CopyPlace,
  folders: StorageFolders,
): Promise<string | undefined> {
  if (await isWithin(prefix, folders)) return undefined;
  return `${prefix}, the folder of ${rse.rse}, is not below a folder that this server may use for storage.`;
}

/**
 * The real path of the prefix of an RSE, which must be one of the folders or below one.
 *
 * @returns undefined if there is no such folder yet.
 * @throws Error if it is elsewhere.
 */
export async function findPrefix(prefix: string, folders: StorageFolders): Promise<string | undefined> {
  const path = resolve(prefix);
  const real = await realpath(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  const place = real ?? path;
  if (folders.some((folder) => `${place}${sep}`.startsWith(folder === sep ? sep : folder + sep))) return real;
  throw new Error(
    `${prefix} is not below a folder that this process may use for storage: ${folders.join(', ') || 'none'}`,
  );
}

/** The real path of a prefix. It may be made. */
async function findOrMakePrefix(prefix: string, folders: StorageFolders): Promise<string> {
  const real = await findPrefix(prefix, folders);
  if (real !== undefined) return real;
  const path = resolve(prefix);
  const folder = folders.find((one) => path.startsWith(one + sep)) ?? path;
  await makeFolders(folder, relative(folder, path));
  return realpath(path);
}

/** Makes folders one by one, so that none is made behind a symbolic link. */
async function makeFolders(root: string, below: string): Promise<void> {
  if (isAbsolute(below) || below.startsWith('..')) throw new Error(`${below} is not below ${root}`);
  let folder = root;
  for (const part of below.split(sep).filter(Boolean)) {
    folder = join(folder, part);
    await mkdir(folder).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    if ((await realpath(folder)) !== folder) throw new Error(`${folder} is a symbolic link`);
  }
}

/** Whether an error of the file system has a code, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
