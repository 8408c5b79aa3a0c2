import { type IndexRun, maintainMetadataIndex } from '../lib/background/maintain-metadata-index.ts';
import { clock } from '../lib/clock.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs on a schedule: adds and removes index entries until the metadata index covers the configured keys. */
export async function handler(): Promise<IndexRun> {
  return maintainMetadataIndex({ store: store.begin(), now: clock.now() });
}
