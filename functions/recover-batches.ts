import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: clears away what bulk requests left behind whose writer is gone. */
export async function handler(): Promise<{ recovered: number }> {
  return { recovered: await store.recoverBatches() };
}
