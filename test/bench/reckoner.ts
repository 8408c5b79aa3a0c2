import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Reckoning } from './arithmetic.ts';

/** What arithmetic-worker.ts says. */
type Said = { readonly at: string } | { readonly begun: true } | { readonly taken: Reckoning };

/** Reckons up what goes over a line to an engine, in a thread of its own. */
export class Reckoner {
  /** Where a service that is to be reckoned up finds the engine. */
  readonly endpoint: string;
  readonly #worker: Worker;

  private constructor(worker: Worker, endpoint: string) {
    this.#worker = worker;
    this.endpoint = endpoint;
  }

  static async start(engine: { endpoint: string; tableName: string }): Promise<Reckoner> {
    const worker = new Worker(new URL('arithmetic-worker.ts', import.meta.url), { workerData: engine });
    // Whatever this thread still has to do, it does before.
    worker.on('message', (said: Said | 'idle?') => {
      if (said === 'idle?') setImmediate(() => worker.postMessage('idle'));
    });
    return new Reckoner(worker, (await answer(worker, 'at')).at);
  }

  /** What happens over the line while something runs; its answers come in waves (waves.ts). */
  async reckon(run: () => Promise<unknown>): Promise<Reckoning> {
    this.#worker.postMessage('begin');
    await answer(this.#worker, 'begun');
    await run();
    this.#worker.postMessage('take');
    return (await answer(this.#worker, 'taken')).taken;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The next message of a kind. */
async function answer<K extends 'at' | 'begun' | 'taken'>(
  worker: Worker,
  kind: K,
): Promise<Extract<Said, Record<K, unknown>>> {
  for (;;) {
    const [said] = (await once(worker, 'message')) as [Said | 'idle?'];
    if (said !== 'idle?' && kind in said) return said as Extract<Said, Record<K, unknown>>;
  }
}
