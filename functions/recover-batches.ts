import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: completes or undoes bulk requests whose writer died. */
export async function handler(): Promise<{ recovered: number }> {
  return { recovered: await store.recoverBatches() };
}
