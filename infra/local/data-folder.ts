import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The file of the data in a data folder. */
export const dataFile = 'dapple.sqlite';

/**
 * Makes a data folder, and those above it, where they are missing. Step by step: where the system refuses a folder although
 * the one above it is there, as below /proc, `mkdirSync` with `recursive` never returns.
 *
 * @throws Error that names the folder and the remedy.
 */
export function makeFolder(folder: string): void {
  try {
    make(resolve(folder));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The data folder ${folder} cannot be made: ${reason}. Choose another one with \`--data <folder>\`, or keep ` +
        'nothing with `--in-memory`.',
      { cause: error },
    );
  }
}

function make(path: string): void {
  if (existsSync(path)) return;
  make(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @throws Error that names the remedy when a folder holds no data of a local server; nothing is made. */
export function requireData(folder: string): void {
  if (existsSync(join(folder, dataFile))) return;
  throw new Error(
    `The folder ${folder} holds no catalogue: there is no ${dataFile} in it. Name the data folder of a local server ` +
      'with `--data <folder>`.',
  );
}
