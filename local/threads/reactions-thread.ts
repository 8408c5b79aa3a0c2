import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { clock } from '../../lib/clock.ts';
import { locateModule } from '../locate.ts';
import type { ReactionOptions } from '../start-reactions.ts';
import type { StreamReader } from '../stream-reader.ts';
import { operate } from './main-engine.ts';
import type { FromReactions, ReactionSettings, ToReactions, WorkerSettings } from './messages.ts';

/** The pause before a thread that has died is replaced. */
const restartPauseMs = 1_000;

/**
 * Starts reactions to changes in a thread of their own, so that a request after a bulk load does not wait for what follows
 * from that load. A thread that dies is replaced; the next one continues at the stored position.
 */
export function startReactionsThread(settings: WorkerSettings, options: ReactionOptions): StreamReader {
  const { tableName, dataDir, storage = [], say } = options;
  const data: ReactionSettings = { ...settings, tableName, storage, ...(dataDir === undefined ? {} : { dataDir }) };
  let isStopping = false;
  let thread = start();

  function start(): ReactionsThread {
    return new ReactionsThread(data, options, (reason) => {
      if (isStopping) return;
      say(`the thread that follows changes has stopped: ${String(reason)}`);
      setTimeout(() => {
        if (!isStopping) thread = start();
      }, restartPauseMs).unref();
    });
  }

  return {
    stop: async () => {
      isStopping = true;
      await thread.stop();
    },
  };
}

/** One thread of reactions. */
class ReactionsThread {
  readonly #worker: Worker;
  readonly #options: ReactionOptions;
  readonly #unsubscribe: () => void;
  readonly #ended = Promise.withResolvers<void>();
  /** A message that says so is under way. */
  #isTold = false;
  #hasCommitted = false;

  constructor(data: ReactionSettings, options: ReactionOptions, onExit: (reason: unknown) => void) {
    this.#options = options;
    this.#worker = new Worker(locateModule('local/threads/reactions-worker'), { workerData: data });
    this.#worker.unref();
    this.#unsubscribe = options.engine.subscribe?.(() => this.#tell()) ?? (() => {});
    let reason: unknown = 'exit';
    this.#worker.on('message', (message: FromReactions) => this.#receive(message));
    this.#worker.on('error', (error) => {
      reason = error;
    });
    this.#worker.on('exit', () => {
      this.#unsubscribe();
      this.#ended.resolve();
      onExit(reason);
    });
  }

  /** Lets the reactions that run end, for a moment at most. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#post({ kind: 'stop' });
    await Promise.race([this.#ended.promise, sleep(graceMs, undefined, { ref: false })]);
    await this.#worker.terminate();
  }

  #tell(): void {
    this.#hasCommitted = true;
    if (this.#isTold) return;
    this.#isTold = true;
    this.#hasCommitted = false;
    this.#post({ kind: 'committed', time: clock.now() });
  }

  #post(message: ToReactions): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromReactions): void {
    switch (message.kind) {
      case 'operate':
        void operate(this.#options.engine.transport, message, (answer) => this.#post(answer));
        break;
      case 'heard':
        this.#isTold = false;
        if (this.#hasCommitted) this.#tell();
        break;
      case 'say':
        this.#options.say(message.line);
        break;
      case 'stopped':
        this.#ended.resolve();
        break;
    }
  }
}

/** Time for running reactions to end when the server stops. */
const graceMs = 3_000;
