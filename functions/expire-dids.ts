import { expireDids, type ExpiryRun } from '../lib/background/expire-dids.ts';
import { clock } from '../lib/clock.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: deletes expired DIDs. */
export async function handler(): Promise<ExpiryRun> {
  return expireDids({ store: store.begin(), now: clock.now() });
}
