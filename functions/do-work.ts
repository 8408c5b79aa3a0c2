import { runDueWork, type WorkRun } from '../lib/background/run-work.ts';
import { clock } from '../lib/clock.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: does due work and resumes work whose process died. */
export async function handler(): Promise<WorkRun> {
  return runDueWork({ store: store.begin(), now: clock.now() });
}
