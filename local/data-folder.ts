import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Name of the database in a data folder. */
export const dataFile = 'dapple.sqlite';

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
    mkdirSync(path);
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
