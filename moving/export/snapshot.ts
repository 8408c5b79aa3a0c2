import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

import { dataFile, requireData } from '../../local/data-folder.ts';
import { positionFileOf, readers } from '../../local/stream-position.ts';

/** All pages are copied in one step: a copy in steps begins anew with each write of the server. */
const allPages = 2 ** 31 - 1;

/** A copy of the data of a local server. */
export interface Snapshot {
  /** A data folder of its own. */
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Copies the database of a data folder as it is at one time, also while a server runs on it. The folder is not changed.
 *
 * @throws Error if the folder has no data.
 */
export async function takeSnapshot(dataDir: string): Promise<Snapshot> {
  requireData(dataDir);
  const folder = await mkdtemp(join(tmpdir(), 'dapple-snapshot-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const source = new DatabaseSync(join(dataDir, dataFile), { readOnly: true });
  try {
    // Before the database: what is followed meanwhile is followed twice, which is harmless.
    for (const reader of Object.values(readers)) await copyIfThere(positionFileOf(reader), dataDir, folder);
    await backup(source, join(folder, dataFile), { rate: allPages });
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    source.close();
  }
}

/** A reader that has followed nothing yet has no file. */
async function copyIfThere(file: string, from: string, to: string): Promise<void> {
  try {
    await copyFile(join(from, file), join(to, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
