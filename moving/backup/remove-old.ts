import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { timeOfBackup } from './backup-name.ts';

const dayMs = 86_400_000;

/** The ending of what a backup that was ended has left. */
const part = /\.(?:partial|trial|trial\.loading)$/;

/**
 * Removes the backups beyond the latest ones, unless they are young, and parts of backups that are a day old. Other files stay.
 *
 * @returns The names of the removed backups.
 */
export async function removeOld(
  folder: string,
  { keep, keepDays }: { readonly keep: number; readonly keepDays: number },
): Promise<string[]> {
  const names = await readdir(folder);
  const isPart = (name: string) =>
    part.test(name) && (timeOfBackup(name.replace(part, '')) ?? Date.now()) < Date.now() - dayMs;
  for (const name of names.filter(isPart)) await rm(join(folder, name), { recursive: true });
  const backups = names.filter((name) => timeOfBackup(name) !== undefined).toSorted();
  const youngest = Date.now() - keepDays * dayMs;
  const old = backups.slice(0, -keep).filter((name) => (timeOfBackup(name) ?? youngest) < youngest);
  for (const name of old) await rm(join(folder, name), { recursive: true });
  return old;
}
