import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { putOffUnknown } from '../lib/background/lease-copies.ts';
import { moveData } from '../lib/background/move-data.ts';
import { clock } from '../lib/clock.ts';
import { openMovers, openStreamMover } from '../lib/domain/requests/open-movers.ts';
import type { Reaction } from '../lib/domain/values/reaction.ts';
import type { Mover } from '../lib/movers/mover.ts';
import { PosixMover } from '../lib/movers/posix/posix-mover.ts';
import { openStorageFolders } from '../lib/movers/posix/safe-path.ts';
import type { StreamMover } from '../lib/movers/stream/stream-mover.ts';
import type { TransferTool } from '../lib/movers/transfer-tool.ts';
import type { Store } from '../lib/store/open-store.ts';
import { type ChangeOf, changesOf } from '../lib/store/stream/change.ts';

/** The interval at which copies are looked for that nothing has announced: retries, and leases of dead movers. */
const intervalMs = 60_000;

/** After this time a run of a transfer tool begins anew: one that was silent is asked again. */
const toolRunMs = 300_000;

/** Time for running copies to be given back when the server stops. */
const graceMs = 2_000;

/** Running movers. */
export interface LocalMovers {
  /** Starts them when a copy is requested. */
  readonly reaction: Reaction;
  stop(): Promise<void>;
}

/** Something that is done again and again, never twice at a time. */
class Loop {
  readonly #act: () => Promise<void>;
  readonly #signal: AbortSignal;
  #isWanted = false;
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();

  constructor(act: () => Promise<void>, signal: AbortSignal) {
    [this.#act, this.#signal] = [act, signal];
  }

  /** Does it soon, once more if it is being done. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#run();
  }

  /** Resolves when it is not being done. */
  end(): Promise<void> {
    return this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#signal.aborted) {
      this.#isWanted = false;
      await this.#act();
    }
    this.#isRunning = false;
  }
}

/**
 * Starts the movers of a server: they copy between folders of this machine, let storages on the network copy, and copy between
 * storages of different kinds. Each goes on by itself, so that a copy that takes hours delays those of no other.
 *
 * @param folders Of this machine only files below them are read and written.
 */
export function startMovers(store: Store, folders: readonly string[], say: (line: string) => void): LocalMovers {
  const stopping = new AbortController();
  const { signal } = stopping;
  const holder = `${hostname()} ${process.pid}`;
  let news = Promise.withResolvers<void>();
  let stream: StreamMover | undefined;
  const openPosix = async () => new PosixMover(await openStorageFolders(folders));
  // It remembers what it has copied from and to each RSE.
  const openStream = async () => (stream ??= openStreamMover(await openStorageFolders(folders)));
  const others = openMovers();
  const run = async (open: () => Promise<Mover | TransferTool>) => {
    const mover = await open();
    const until = 'submit' in mover ? clock.now() + toolRunMs : Infinity;
    await moveData(store.begin(), { movers: [mover], holder, until, signal, announced: () => news.promise });
  };
  const names = ['posix', 'stream', ...others.map(({ name }) => name)];
  const acts = [
    () => run(openPosix),
    () => run(openStream),
    ...others.map((mover) => () => run(async () => mover)),
    () => putOffUnknown(store, names, holder),
  ];
  const loops = acts.map((act) => {
    const actAndSay = () => act().catch((error: unknown) => say(`files could not be copied: ${String(error)}`));
    return new Loop(actAndSay, signal);
  });
  const wake = () => {
    news.resolve();
    news = Promise.withResolvers();
    for (const loop of loops) loop.wake();
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
      const ends = Promise.all(loops.map((loop) => loop.end()));
      await Promise.race([ends, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
