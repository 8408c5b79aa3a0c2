import { setTimeout as sleep } from 'node:timers/promises';

import { followOwed, type ReactionsOf } from '../lib/background/follow-owed.ts';
import type { Store } from '../lib/store/open-store.ts';
import type { StreamReader } from './stream-reader.ts';

/** The pause after a failure, in milliseconds. */
const failurePauseMs = 2_000;

/** Time for running work to end when the server stops. */
const graceMs = 2_000;

/** The owed changes, which are followed before the stream, and the start of following them. */
interface OwedFirst {
  readonly store: Store;
  readonly reactions: ReactionsOf;
  /** Starts the readers of the stream, once nothing is owed from before. */
  readonly start: () => readonly StreamReader[];
  readonly say: (line: string) => void;
}

/**
 * Follows what the table owes since it was loaded, and then its stream, so that the changes of an item are followed in their order.
 * Retries after every error, as the stream does.
 */
export function startOwedFirst({ store, reactions, start, say }: OwedFirst): StreamReader {
  const stopping = new AbortController();
  const { signal } = stopping;
  let readers: readonly StreamReader[] = [];
  const begun = run();

  async function run(): Promise<void> {
    const began = performance.now();
    let [records, said] = [0, ''];
    while (!signal.aborted) {
      try {
        const followed = await followOwed(store, reactions, () => !signal.aborted);
        records += followed.records;
        if (!followed.done) return;
        break;
      } catch (error) {
        if (said !== String(error)) say(`what the catalogue owes could not be followed: ${(said = String(error))}`);
        await sleep(failurePauseMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    if (signal.aborted) return;
    if (records > 0) {
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      say(`caught up: followed ${records} changes from before this catalogue was loaded, in ${seconds} s`);
    }
    readers = start();
  }

  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([begun, sleep(graceMs, undefined, { ref: false })]);
      await Promise.all(readers.map((reader) => reader.stop()));
    },
  };
}
