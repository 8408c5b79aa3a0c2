import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The right to use a data folder, held until `release`. */
export interface DataLock {
  /** Notes the engine's process, which can outlive ours by some seconds. */
  setEngine(pid: number): void;
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** How the process was called, so that another process that was given the same id is not taken for it. */
  readonly command: string;
  readonly engine?: number;
}

const held = new Set<string>();
/** An orphaned engine is ended by its watchdog within this time. */
const orphanMilliseconds = 10_000;

/**
 * Claims a data folder for this process; makes the folder when it is missing. The claim of a process that is gone is
 * taken over, once the engine that it may have left behind has ended too.
 *
 * @throws Error that names the holder and the remedy when another process, or this one, uses the folder.
 */
export async function lockData(folder: string): Promise<DataLock> {
  const path = join(resolve(folder), 'engine.lock');
  mkdirSync(resolve(folder), { recursive: true });
  const own: Holder = { pid: process.pid, command: commandOf(process.pid) };
  while (held.has(path) || !create(path, own)) {
    const holder = read(path);
    if (held.has(path) || (holder !== undefined && holder.pid !== process.pid && isHolder(holder))) {
      throw new Error(
        `The data folder ${folder} is in use by process ${holder?.pid ?? process.pid}. Stop that one first, ` +
          'or choose another folder with `--data <folder>`, or keep nothing with `--in-memory`.',
      );
    }
    if (holder?.engine !== undefined) await waitForEnd(holder.engine, folder);
    rmSync(path, { force: true });
  }
  held.add(path);
  return {
    setEngine: (engine) => writeFileSync(path, JSON.stringify({ ...own, engine })),
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

async function waitForEnd(engine: number, folder: string): Promise<void> {
  const end = performance.now() + orphanMilliseconds;
  while (isAlive(engine) && /DynamoDBLocal/.test(commandOf(engine) || 'DynamoDBLocal')) {
    if (performance.now() > end) {
      throw new Error(
        `Process ${engine}, an engine that lost its server, still uses ${folder}. End it: kill ${engine}`,
      );
    }
    await sleep(100);
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
