import { cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { inject } from 'vitest';

import { openSession } from '../../../moving/compare/session.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { seedCatalogue } from './catalogue.ts';

/** The account that all servers of tests have. */
export const rootCredentials = { username: 'ddmlab', password: 'secret', account: 'root' };

/**
 * Makes a data folder with the catalogue of the seed. The first test file of a run that asks seeds it, in 1.5 s of processor
 * time; all get copies.
 */
export async function makeSeededFolder(path: string): Promise<void> {
  const seeded = join(inject('runFolder'), 'seeded');
  const lock = await lockRun();
  try {
    if (!existsSync(seeded)) await seed(seeded);
  } finally {
    lock.close();
  }
  cpSync(seeded, path, { recursive: true });
}

/** Waits until no other worker seeds. The lock ends with the process, however that ends. */
async function lockRun(): Promise<DatabaseSync> {
  const lock = new DatabaseSync(join(inject('runFolder'), 'seeded.lock'));
  for (;;) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      if (!/locked|busy/.test(String(error))) throw error;
      await sleep(50);
    }
  }
}

/** The folder has its name once it is complete. */
async function seed(path: string): Promise<void> {
  const partial = `${path}.partial`;
  const server = await startServerProcess(['--data', partial, '--no-tasks', '--threads', '0']);
  try {
    const { refused } = await seedCatalogue(openSession({ url: server.url, credentials: rootCredentials }));
    if (refused.length > 0) throw new Error(`the seed was refused: ${refused.join('; ')}`);
  } finally {
    await server.stop();
  }
  renameSync(partial, path);
}
