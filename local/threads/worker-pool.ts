import { Worker } from 'node:worker_threads';

import type { APIGatewayProxyEvent } from 'aws-lambda';

import { clock } from '../../lib/clock.ts';
import { finishedRequests } from '../../lib/http/request-log.ts';
import type { AnswerSink } from '../answer-sink.ts';
import type { Transport } from '../engine/src/transport.ts';
import { sendFailure } from '../lambda-runtime.ts';
import { locateModule } from '../locate.ts';
import type { RunFunction } from '../run-function.ts';
import { operate } from './main-engine.ts';
import type { AnswerPart, ToMain, ToWorker, WorkerSettings } from './messages.ts';

/** A request that a worker answers. */
interface Job {
  readonly sink: AnswerSink;
  readonly done: (failure: unknown) => void;
  hasBegun: boolean;
}

/**
 * The young generation of a worker's heap in MB: three semi-spaces of 16. The main thread has semi-spaces of 64 (`npm start`), with
 * which long lists are no faster.
 */
const maxYoungGenerationMb = 48;

/** A pool without a worker that gets ready gives up after as many attempts. */
const maxFailures = 3;

/** How a pool starts its threads, and what they use. */
export interface PoolOptions {
  readonly settings: WorkerSettings;
  /** The most threads. */
  readonly size: number;
  /** The engine of the main thread, for what workers write. */
  readonly engine: Transport;
  readonly report: (message: string) => void;
}

/**
 * Worker threads that run functions beside the main thread. The first starts with the first concurrent request; a thread
 * that dies fails its requests and is replaced.
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  #failures = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * The function runner of the thread with the least requests; undefined if none has less than `load`. Starts another thread
   * if all are busy.
   */
  findRunner(load: number): RunFunction | undefined {
    if (this.#isClosed || load === 0) return undefined;
    let least: Thread | undefined;
    for (const thread of this.#threads) {
      if (thread.isReady && thread.load < (least?.load ?? load)) least = thread;
    }
    if ((least === undefined || least.load > 0) && this.#mayGrow()) this.#start();
    return least === undefined ? undefined : (...request) => least.run(...request);
  }

  /** Stops all threads; their requests fail. Later requests start others. */
  async stopThreads(): Promise<void> {
    await Promise.all([...this.#threads].map(async (thread) => thread.stop()));
  }

  /** Stops all threads for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stopThreads();
  }

  #mayGrow(): boolean {
    if (this.#threads.size >= this.#options.size || this.#failures >= maxFailures) return false;
    return [...this.#threads].every(({ isReady }) => isReady);
  }

  #start(): void {
    const thread = new Thread(this.#options, (error) => {
      this.#threads.delete(thread);
      if (this.#isClosed) return;
      if (!thread.isReady) this.#failures += 1;
      this.#options.report(`a worker thread has stopped: ${String(error)}`);
    });
    this.#threads.add(thread);
  }
}

/** One worker thread. */
class Thread {
  readonly #worker: Worker;
  readonly #engine: Transport;
  readonly #jobs = new Map<number, Job>();
  #lastRequest = 0;
  isReady = false;

  constructor({ settings, engine }: PoolOptions, onExit: (error: unknown) => void) {
    this.#engine = engine;
    this.#worker = new Worker(locateModule('local/threads/worker'), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: maxYoungGenerationMb },
    });
    this.#worker.unref();
    let reason: unknown = 'exit';
    this.#worker.on('message', (message: ToMain) => this.#receive(message));
    this.#worker.on('error', (error) => {
      reason = error;
    });
    this.#worker.on('exit', () => {
      onExit(reason);
      for (const job of this.#jobs.values()) fail(job, reason);
      this.#jobs.clear();
    });
  }

  /** The number of requests that run. */
  get load(): number {
    return this.#jobs.size;
  }

  async run(group: string, event: APIGatewayProxyEvent, sink: AnswerSink): Promise<unknown> {
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const failure = new Promise((done) => {
      this.#jobs.set(request, { sink, done, hasBegun: false });
    });
    sink.onClose((isComplete) => {
      if (!isComplete && this.#jobs.has(request)) this.#post({ kind: 'left', request });
    });
    this.#post({ kind: 'run', request, group, event: JSON.stringify(event), time: clock.now() });
    return failure;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: ToMain): void {
    switch (message.kind) {
      case 'ready':
        this.isReady = true;
        break;
      case 'parts':
        this.#pass(message.request, message.parts);
        break;
      case 'ran':
        this.#end(message.request, message.failure);
        break;
      case 'finished':
        finishedRequests.publish(message.record);
        break;
      case 'operate':
        void operate(this.#engine, message, (answer) => this.#post(answer));
        break;
    }
  }

  #pass(request: number, parts: readonly AnswerPart[]): void {
    const job = this.#jobs.get(request);
    if (job === undefined) return;
    const isLast = parts.at(-1)?.kind === 'end';
    for (const part of parts) {
      passPart(job, part, (bytes) => {
        if (!isLast) this.#post({ kind: 'taken', request, bytes });
      });
    }
  }

  #end(request: number, failure: string | undefined): void {
    const job = this.#jobs.get(request);
    this.#jobs.delete(request);
    job?.done(failure);
  }
}

function passPart(job: Job, part: AnswerPart, taken: (bytes: number) => void): void {
  const { sink } = job;
  switch (part.kind) {
    case 'begin':
      job.hasBegun = true;
      return sink.begin(part.metadata);
    case 'flush':
      return sink.flushHeaders();
    case 'write': {
      const { buffer, byteOffset, byteLength } = part.chunk;
      return sink.write(Buffer.from(buffer, byteOffset, byteLength), () => taken(byteLength));
    }
    case 'end':
      return sink.end(() => {});
    case 'abort':
      return sink.abort();
  }
}

/** Ends a request whose thread has died. */
function fail({ sink, hasBegun, done }: Job, reason: unknown): void {
  if (hasBegun) sink.abort();
  else if (!sink.isClosed) sendFailure(sink);
  done(reason);
}
