import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { holderFile, lockFile, makeFolder, protectFolder } from './data-folder.ts';

/** The exclusive lock of a data folder, held until `release`. */
export interface DataLock {
  release(): void;
}

/** The holder of a lock as it describes itself, for a message. */
interface Holder {
  readonly pid: number;
  /** Where it serves the data, if it does. */
  readonly url?: string;
  /** Command line of the process, to tell it from a later process with the same id. */
  readonly command: string;
}

/** The locks of this process. One that nobody refers to would end. */
const held = new Set<DatabaseSync>();

/**
 * Locks a data folder for this process; creates the folder if it is missing. The operating system holds the lock, by SQLite, on an
 * empty database: it ends with the process, however that ends, and excludes processes of other containers on the same volume.
 *
 * @throws Error that names the holder and the remedy if another process, or this one, holds the lock.
 */
export function lockData(folder: string, url?: string): DataLock {
  makeFolder(folder);
  protectFolder(folder);
  const path = join(resolve(folder), holderFile);
  const lock = lockByDatabase(join(resolve(folder), lockFile));
  if (lock === undefined) {
    const holder = read(path);
    throw new Error(
      `The data folder ${folder} is in use by process ${holder?.pid ?? 'unknown'}. Stop that one first, ` +
        'or choose another folder with `--data <folder>`, or keep nothing with `--in-memory`.',
    );
  }
  const own: Holder = { pid: process.pid, command: commandOf(process.pid) };
  writeFileSync(path, JSON.stringify(url === undefined ? own : { ...own, url }), { mode: 0o600 });
  held.add(lock);
  return {
    release: () => {
      if (!held.delete(lock)) return;
      rmSync(path, { force: true });
      lock.close();
    },
  };
}

/** Where a server serves the data of a folder; undefined if none does, as far as is known. */
export function findServer(folder: string): string | undefined {
  const holder = read(join(resolve(folder), holderFile));
  return holder !== undefined && isHolder(holder) ? holder.url : undefined;
}

/** Undefined: somebody else has it. */
function lockByDatabase(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (/locked|busy/.test(String(error))) return undefined;
    throw error;
  }
}

/** The holder, or undefined if the file is missing or was truncated by a crash. */
function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isHolder({ pid, command }: Holder): boolean {
  return isAlive(pid) && (command === '' || commandOf(pid) === command);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Command line of a process; empty without such a process, or without `/proc` and `ps`. */
function commandOf(pid: number): string {
  try {
    // As `ps` prints it, without a process of its own.
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
