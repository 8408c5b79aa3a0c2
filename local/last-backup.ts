import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastBackupFile } from './data-folder.ts';

/** Notes in a data folder that an export of all of it is complete. Whoever may only read the folder leaves no note. */
export function noteBackup(folder: string, at: number): void {
  try {
    writeFileSync(join(folder, lastBackupFile), JSON.stringify({ at }), { mode: 0o600 });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** When the last export of a data folder was begun, in milliseconds since 1970; undefined: none is known. */
export function readLastBackup(folder: string): number | undefined {
  try {
    const { at } = JSON.parse(readFileSync(join(folder, lastBackupFile), 'utf8')) as { readonly at?: unknown };
    return typeof at === 'number' && Number.isFinite(at) ? at : undefined;
  } catch {
    return undefined;
  }
}
