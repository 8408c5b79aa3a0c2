import { lengthyWork, passesFilters } from '../infra/stream-filter.ts';
import { createConsumer } from '../lib/background/create-consumer.ts';
import { fastReactions, slowReactions } from '../lib/background/reactions.ts';
import { openStore } from '../lib/store/open-store.ts';
import type { LocalEngine } from './open-engine.ts';
import { startOwedFirst } from './owed-first.ts';
import { startMovers } from './start-movers.ts';
import { readers } from './stream-position.ts';
import { startStreamReader, type StreamReader } from './stream-reader.ts';

/** Settings of the reactions to changes. */
export interface ReactionOptions {
  readonly engine: Pick<LocalEngine, 'transport' | 'client' | 'subscribe'>;
  readonly tableName: string;
  /** Folder that keeps the position in the table's stream. */
  readonly dataDir?: string | undefined;
  /** Folders in which the files of RSEs may be copied; absent: no movers are started. */
  readonly storage?: readonly string[] | undefined;
  readonly say: (line: string) => void;
  /** Waits for requests to finish before more of the stream is read, for some milliseconds at most. */
  readonly waitForRequests?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** Follows the stream of the table as the two stream functions of a deployment do. */
export function startReactions(options: ReactionOptions): StreamReader {
  const { engine, tableName, dataDir, storage, say, waitForRequests } = options;
  const store = openStore({ tableName, ...engine.client });
  const movers = storage === undefined ? undefined : startMovers(store, storage, say);
  const fast = movers === undefined ? fastReactions : [...fastReactions, movers.reaction];
  const followUp = createConsumer(store, slowReactions);
  const stream = {
    transport: engine.transport,
    subscribe: engine.subscribe,
    tableName,
    dataDir,
    say,
    ...(waitForRequests && { waitForRequests }),
  };
  const start = () => [
    startStreamReader({ ...stream, handler: createConsumer(store, fast), reader: readers.fast }),
    startStreamReader({
      ...stream,
      handler: ({ Records }) => followUp({ Records: Records.filter((record) => passesFilters(record, lengthyWork)) }),
      reader: readers.slow,
    }),
  ];
  const reader = startOwedFirst({ store, reactions: { fast, slow: slowReactions }, start, say });
  return {
    stop: async () => {
      await Promise.all([reader.stop(), movers?.stop()]);
    },
  };
}
