import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { moveData } from '../lib/background/move-data.ts';
import { clock } from '../lib/clock.ts';
import { openMovers, openStreamMover } from '../lib/domain/requests/open-movers.ts';
import type { Reaction } from '../lib/domain/values/reaction.ts';
import { PosixMover } from '../lib/movers/posix/posix-mover.ts';
import { openStorageFolders } from '../lib/movers/posix/safe-path.ts';
import type { StreamMover } from '../lib/movers/stream/stream-mover.ts';
import type { Store } from '../lib/store/open-store.ts';
import { type ChangeOf, changesOf } from '../lib/store/stream/change.ts';

/** The interval at which copies are looked for that nothing has announced: retries, and leases of dead movers. */
const intervalMs = 60_000;

/** After this time a run looks again for due copies. */
const runMs = 300_000;

/** Time for running copies to be given back when the server stops. */
const graceMs = 2_000;

/** Running movers. */
export interface LocalMovers {
  /** Starts them when a copy is requested. */
  readonly reaction: Reaction;
  stop(): Promise<void>;
}

/**
 * Starts the movers of a server: they copy between folders of this machine, let storages on the network copy, and copy between
 * storages of different kinds.
 *
 * @param folders Of this machine only files below them are read and written.
 */
export function startMovers(store: Store, folders: readonly string[], say: (line: string) => void): LocalMovers {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRunning = false;
  let isWanted = true;
  let running: Promise<void> = Promise.resolve();
  let stream: StreamMover | undefined;
  const wake = () => {
    isWanted = true;
    if (isRunning || signal.aborted) return;
    isRunning = true;
    running = run();
  };
  const run = async () => {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      try {
        const open = await openStorageFolders(folders);
        const posix = open.length === 0 ? [] : [new PosixMover(open)];
        // It remembers what it has copied from and to each RSE.
        stream ??= openStreamMover(open);
        const movers = [...posix, ...openMovers(), stream];
        const holder = `${hostname()} ${process.pid}`;
        await moveData(store.begin(), { movers, holder, until: clock.now() + runMs, signal });
      } catch (error) {
        say(`files could not be copied: ${String(error)}`);
      }
    }
    isRunning = false;
  };
  const timer = setInterval(wake, intervalMs).unref();
  wake();
  return {
    reaction: {
      name: 'start movers',
      kinds: ['transfer', 'rse'],
      run: async (_context, changes) => {
        const isNew = ({ before, after }: ChangeOf<'transfer'>) => before === undefined && after !== undefined;
        if (changesOf('rse', changes).length > 0 || changesOf('transfer', changes).some(isNew)) wake();
      },
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.race([running, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
