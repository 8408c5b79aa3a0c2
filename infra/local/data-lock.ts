import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { makeFolder } from './data-folder.ts';

/** The right to use a data folder, held until `release`. */
export interface DataLock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** How the process was called, so that another process that was given the same id is not taken for it. */
  readonly command: string;
}

const held = new Set<string>();

/**
 * Claims a data folder for this process; makes the folder when it is missing. The claim of a process that is gone is
 * taken over.
 *
 * @throws Error that names the holder and the remedy when another process, or this one, uses the folder.
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

/** The holder, or undefined when the file is gone or was cut short by a crash. */
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

/** Command line of a process, empty where there is no `ps` or no such process. */
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
