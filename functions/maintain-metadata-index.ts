import { type IndexRun, maintainMetadataIndex } from '../lib/background/maintain-metadata-index.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: brings the metadata index towards the keys that the configuration names. */
export async function handler(): Promise<IndexRun> {
  return maintainMetadataIndex({ store: store.begin(), now: Date.now() });
}
