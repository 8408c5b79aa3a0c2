import { freeSpace, type FreeSpaceRun } from '../lib/background/free-space.ts';
import { clock } from '../lib/clock.ts';
import { env } from '../lib/env.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: deletes what may be deleted from RSEs that need space. */
export async function handler(): Promise<FreeSpaceRun> {
  return freeSpace({ store: store.begin(), now: clock.now() }, { isReaping: env.isReaping });
}
