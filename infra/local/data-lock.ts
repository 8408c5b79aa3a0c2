import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { makeFolder } from './data-folder.ts';

/** The exclusive lock of a data folder, held until `release`. */
export interface DataLock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** Command line of the process, to tell it from a later process with the same id. */
  readonly command: string;
}

const held = new Set<string>();

/**
 * Locks a data folder for this process; creates the folder if it is missing. The lock of a dead process is taken over.
 *
 * @throws Error that names the holder and the remedy if another process, or this one, holds the lock.
 */
export function lockData(folder: string): DataLock {
  const path = join(resolve(folder), 'engine.lock');
  makeFolder(folder);
  const own: Holder = { pid: process.pid, command: commandOf(process.pid) };
  while (held.has(path) || !create(path, own)) {
    const holder = read(path);
    if (held.has(path) || (holder !== undefined && holder.pid !== process.pid && isHolder(holder))) {
      throw new Error(
        `The data folder ${folder} is in use by process ${holder?.pid ?? process.pid}. Stop that one first, ` +
          'or choose another folder with `--data <folder>`, or keep nothing with `--in-memory`.',
      );
    }
    rmSync(path, { force: true });
  }
  held.add(path);
  return {
    release: () => {
      if (held.delete(path)) rmSync(path, { force: true });
    },
  };
}

function create(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
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

/** Command line of a process; empty without `ps` or such a process. */
function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
