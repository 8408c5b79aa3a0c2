import { shareInvalidations } from '../../lib/cache.ts';
import type { Transport } from '../engine/src/transport.ts';
import type { RunFunction } from '../run-function.ts';
import type { ReactionOptions } from '../start-reactions.ts';
import type { StreamReader } from '../stream-reader.ts';
import { startReactionsThread } from './reactions-thread.ts';
import { spreadRequests } from './spread-requests.ts';
import { WorkerPool } from './worker-pool.ts';

/** The threads of a server beside its main thread. */
export interface Threads {
  readonly pool: WorkerPool;
  /** Where functions run. */
  readonly spread: (here: RunFunction) => RunFunction;
  /** Starts what follows from changes, in a thread of its own. */
  readonly react: (options: ReactionOptions) => StreamReader;
}

/**
 * Opens the threads of a server. Those that answer requests start when they are needed.
 *
 * @param path The database of the engine.
 * @param engine The engine, in this thread.
 * @param count The most threads that answer requests.
 */
export function openThreads(path: string, engine: Transport, count: number): Threads {
  const invalidations = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  shareInvalidations(invalidations);
  const settings = { path, invalidations };
  const pool = new WorkerPool({ settings, size: count, engine, report: (message) => console.error(message) });
  return { pool, spread: spreadRequests(pool), react: (options) => startReactionsThread(settings, options) };
}
