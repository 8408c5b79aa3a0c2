import { freeSpace, type ReaperRun } from '../lib/background/reap-rses.ts';
import { clock } from '../lib/clock.ts';
import { env } from '../lib/env.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: deletes replicas without locks from RSEs that need space. */
export async function handler(): Promise<ReaperRun> {
  return freeSpace({ store: store.begin(), now: clock.now() }, env.isReaping);
}
