import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { dataFile, requireData } from '../../local/data-folder.ts';
import { noteBackup } from '../../local/last-backup.ts';
import { openEmptyFolder } from '../export/empty-table.ts';
import { exportData, isDataFolder } from '../export/export-data.ts';
import { loadExport } from '../export/load-export.ts';
import { bytesIn, type Manifest, readVerified, recordsIn } from '../export/manifest.ts';
import { backupName } from './backup-name.ts';

/** How many times the size of the database an export may have, while it is sorted, and with its trial. */
const [sizeOfExport, sizeOfTrial] = [2, 4];

/** A backup that was verified. */
interface Backup {
  readonly folder: string;
  readonly items: number;
  readonly bytes: number;
}

/**
 * Takes a backup, which gets its name when it was verified.
 *
 * @param wanted `tries`: the backup is loaded into a folder, which is removed.
 * @throws Error if it cannot be taken, or is not what it should be; then nothing of it stays.
 */
export async function makeBackup(wanted: { from: string; to: string; tries: boolean }): Promise<Backup> {
  const { from, to, tries } = wanted;
  if (!isDataFolder()) {
    throw new Error('A backup is one of a data folder: unset TABLE_NAME and DYNAMODB_ENDPOINT.');
  }
  requireData(from);
  await mkdir(to, { recursive: true, mode: 0o700 });
  await requireSpace(from, to, tries);
  const begun = Date.now();
  const folder = join(to, backupName(new Date()));
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  try {
    await exportData({ from, to: partial, passwords: true });
    const manifest = await readVerified(partial);
    const items = recordsIn(manifest.files);
    if (tries) await tryLoad(partial, manifest, `${folder}.trial`);
    await rename(partial, folder);
    noteBackup(from, begun);
    return { folder, items, bytes: bytesIn(manifest.files) };
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** A backup must not fill the disk, which may be that of the catalogue. */
async function requireSpace(from: string, to: string, tries: boolean): Promise<void> {
  const [{ size }, { bavail, bsize }] = await Promise.all([stat(join(from, dataFile)), statfs(to)]);
  const needed = size * (tries ? sizeOfTrial : sizeOfExport);
  if (bavail * bsize >= needed) return;
  const [free, wanted] = [Math.floor((bavail * bsize) / 1_000_000), Math.ceil(needed / 1_000_000)];
  throw new Error(`The disk of ${to} has ${free} MB free, and a backup may take ${wanted} MB.`);
}

/** Loads a backup into a folder of its own, as whoever needs it will. */
async function tryLoad(folder: string, manifest: Manifest, trial: string): Promise<void> {
  const table = await openEmptyFolder(trial, 'Dapple');
  try {
    const { openStore } = await import('../../lib/store/open-store.ts');
    const loaded = await loadExport({ store: openStore(table.client), folder, manifest });
    const expected = recordsIn(manifest.files);
    if (loaded !== expected) throw new Error(`The backup does not open: ${loaded} of ${expected} items were loaded.`);
    await table.finish();
  } finally {
    await table.close();
    await rm(trial, { recursive: true, force: true });
  }
}
