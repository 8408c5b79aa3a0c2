import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { timeOfBackup } from './backup-name.ts';

const dayMs = 86_400_000;

/** The ending of what a backup that was ended has left. */
const part = /\.(?:partial|trial|trial\.loading)$/;

/**
 * Removes the backups beyond the latest ones, unless they are young, and parts of backups that are a day old. Other files stay. So
 * do backups of the future, from a time at which the clock was ahead: they count for none of the latest.
 *
 * @param now When the latest backup was begun, in milliseconds since 1970; by default now.
 * @returns The names of the removed backups.
 */
export async function removeOld(
  folder: string,
  { keep, keepDays, now = Date.now() }: { readonly keep: number; readonly keepDays: number; readonly now?: number },
): Promise<string[]> {
  const names = await readdir(folder);
  const times = new Map(names.flatMap((name) => [[name, timeOfBackup(name.replace(part, ''))] as const]));
  const isBefore = (name: string, end: number) => (times.get(name) ?? Number.POSITIVE_INFINITY) < end;
  const parts = names.filter((name) => part.test(name) && isBefore(name, now - dayMs));
  const backups = names.filter((name) => timeOfBackup(name) !== undefined && isBefore(name, now + 1)).toSorted();
  const old = backups.slice(0, -keep).filter((name) => isBefore(name, now - keepDays * dayMs));
  for (const name of [...parts, ...old]) await rm(join(folder, name), { recursive: true });
  return old;
}
