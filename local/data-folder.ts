import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Name of the database in a data folder. */
export const dataFile = 'dapple.sqlite';

/** Nobody removes this file: another process might lock it at the same time, and a third one make another of its name. */
export const lockFile = 'lock.sqlite';

/** The file in which the holder of the lock describes itself. */
export const holderFile = 'engine.lock';

/** The file with the key that signs tokens. */
export const tokenKeyFile = 'token-key';

/** The file that says when the catalogue was last exported as a whole. */
export const lastBackupFile = 'last-backup.json';

/** The files of a data folder: they hold hashes of passwords, the key of tokens, and what changes with them. */
const files = [dataFile, `${dataFile}-wal`, `${dataFile}-shm`, lockFile, holderFile, tokenKeyFile];

/** Lets nobody but the owner read a data folder and its files. SQLite gives its other files the mode of the database. */
export function protectFolder(folder: string): void {
  chmodIfOwn(folder, 0o700);
  for (const file of [dataFile, lockFile]) closeSync(openSync(join(folder, file), 'a', 0o600));
  for (const file of files) chmodIfOwn(join(folder, file), 0o600);
}

/** A folder that belongs to somebody else, such as a volume, keeps its mode. */
function chmodIfOwn(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!['ENOENT', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Makes a data folder and its missing ancestors, one at a time: `mkdirSync` with `recursive` never returns where the
 * system refuses a folder below an existing one, as below /proc.
 *
 * @throws Error that names the folder and the remedy.
 */
export function makeFolder(folder: string): void {
  try {
    makeOneFolder(resolve(folder));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The data folder ${folder} cannot be made: ${reason}. Choose another one with \`--data <folder>\`, or keep ` +
        'nothing with `--in-memory`.',
      { cause: error },
    );
  }
}

function makeOneFolder(path: string): void {
  if (existsSync(path)) return;
  makeOneFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @throws Error with a remedy if a folder has no data of a local server. Creates nothing. */
export function requireData(folder: string): void {
  if (existsSync(join(folder, dataFile))) return;
  throw new Error(
    `The folder ${folder} holds no catalogue: there is no ${dataFile} in it. Name the data folder of a local server ` +
      'with `--data <folder>`.',
  );
}
