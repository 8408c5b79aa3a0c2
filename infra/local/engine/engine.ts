import { EngineError, unreadable, unsupported } from './errors.ts';
import { expireItems } from './items/expire.ts';
import { printOutput } from './json.ts';
import { operations } from './operations/index.ts';
import type { Context, Operation } from './operations/operation.ts';
import { answerError } from './protocol.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import type { Answer, Transport } from './transport.ts';
import { validateRequest } from './validation/validate.ts';

/** How an engine is opened. */
export interface EngineOptions {
  /** The file that keeps the data; absent: everything is in memory. */
  readonly path?: string;
  /** The time in milliseconds since 1970. */
  readonly clock?: () => number;
  /** Nothing expires by itself: whoever sets the clock calls `doChores`. */
  readonly driven?: boolean;
}

/** What is asked for. */
interface Request {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A request that waits for its turn. */
interface Job extends Request {
  readonly done: (answer: Answer) => void;
}

/** How often items expire and old records go. */
const choresMilliseconds = 60_000;
/** How long records of streams are kept after they were written. */
const recordLifetimeMilliseconds = 86_400_000;
/** Items and records that go at once, so that nobody waits long, and the pause until more of them go. */
const choreSize = 1_000;
const chorePauseMilliseconds = 50;

/**
 * DynamoDB's data plane in this process (docs/adr/0014-embedded-engine.md).
 *
 * Each request has a turn of the event loop of its own, so that a client that asks again and again holds up nobody.
 * Writes that arrive in one turn are committed together and share one synchronisation with the disk. An answer to a write
 * is given once it is on disk. Each request sees all that was answered before it.
 */
export class Engine implements Transport {
  readonly #storage: Storage;
  readonly #context: Context;
  readonly #listeners = new Set<() => void>();
  #chores: NodeJS.Timeout | undefined;
  #queue: Job[] = [];
  #isClosed = false;

  /** @throws Error when the file is in use, or of another version. */
  constructor({ path, clock = Date.now, driven = false }: EngineOptions = {}) {
    this.#storage = openStorage(path);
    this.#context = { storage: this.#storage, now: clock };
    if (!driven) this.#chores = this.#planChores(choresMilliseconds);
  }

  async send(name: string, body: string): Promise<Answer> {
    try {
      const operation = operations.get(name);
      if (operation === undefined) throw unsupported(name);
      const input = validateRequest(name, parseBody(body));
      return await this.#enqueue(operation, input);
    } catch (error) {
      return refuse(error);
    }
  }

  /**
   * Carries out a request before it returns, for whoever decides on the order of requests. An answer to a write may be
   * given before it is on disk.
   *
   * @param body JSON text of the input, or what has been read of it; absent members may be undefined there.
   */
  answer(name: string, body: string | object): Answer {
    try {
      const operation = operations.get(name);
      if (operation === undefined) throw unsupported(name);
      const job = { operation, input: validateRequest(name, typeof body === 'string' ? parseBody(body) : body) };
      if (!operation.writes) return this.#read(job);
      const answer = this.#carryOutAlone(job);
      this.#tell();
      return answer;
    } catch (error) {
      return refuse(error);
    }
  }

  /** Calls a listener after commits that may have added records to streams. Returns how to end that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Deletes some of the items whose time is over, and of the records that are a day older than the latest.
   *
   * @returns whether there may be more of them.
   */
  doChores(): boolean {
    const { storage, now } = this.#context;
    const { trimmed, expired } = storage.transact(() => ({
      trimmed: storage.records.trim(recordLifetimeMilliseconds, choreSize),
      expired: expireItems(storage, now(), choreSize),
    }));
    if (expired > 0) this.#tell();
    return Math.max(trimmed, expired) >= choreSize;
  }

  #planChores(milliseconds: number): NodeJS.Timeout {
    const run = () => {
      let hasMore = false;
      try {
        hasMore = this.doChores();
      } catch (error) {
        console.error('The embedded engine could not delete what has expired:', error);
      }
      this.#chores = this.#planChores(hasMore ? chorePauseMilliseconds : choresMilliseconds);
    };
    return setTimeout(run, milliseconds).unref();
  }

  /** Commits what has arrived, and closes the data. May be called again. */
  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    clearTimeout(this.#chores);
    this.#storage.close();
  }

  #enqueue(operation: Operation, input: Job['input']): Promise<Answer> {
    return new Promise((done) => {
      const job = { operation, input, done };
      if (!operation.writes) {
        setImmediate(() => done(this.#read(job)));
        return;
      }
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      this.#queue.push(job);
    });
  }

  #flush(): void {
    const jobs = this.#queue;
    if (jobs.length === 0) return;
    this.#queue = [];
    const answers = this.#carryOutTogether(jobs) ?? jobs.map((job) => this.#carryOutAlone(job));
    this.#tell();
    const answer = (answerOfJob: (at: number) => Answer) => {
      for (const [at, { done }] of jobs.entries()) setImmediate(() => done(answerOfJob(at)));
    };
    this.#storage.synced().then(
      () => answer((at) => answers[at] as Answer),
      // The disk failed: nobody knows what of it will be there.
      (error: unknown) => answer(() => refuse(error)),
    );
  }

  #read({ operation, input }: Request): Answer {
    try {
      return answerOf(operation, this.#context, input);
    } catch (error) {
      return refuse(error);
    }
  }

  /** One commit for all; undefined when one of them failed in a way that nobody foresaw, and nothing has happened. */
  #carryOutTogether(jobs: readonly Job[]): Answer[] | undefined {
    try {
      return this.#storage.transact(() => jobs.map((job) => this.#carryOut(job)));
    } catch (error) {
      if (jobs.length > 1) return undefined;
      return [refuse(error)];
    }
  }

  #carryOutAlone(job: Request): Answer {
    try {
      return this.#storage.transact(() => this.#carryOut(job));
    } catch (error) {
      return refuse(error);
    }
  }

  /** A refused request has changed nothing, so that its neighbours may be committed. */
  #carryOut({ operation, input }: Request): Answer {
    try {
      return answerOf(operation, this.#context, input);
    } catch (error) {
      if (error instanceof EngineError) return answerError(error);
      throw error;
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadable('');
  }
}

function answerOf(operation: Operation, context: Context, input: Job['input']): Answer {
  return { status: 200, body: printOutput(operation.run(context, input as never)) };
}

/** Answers an error. Errors other than refusals are faults of the engine: they go to the console as well. */
function refuse(error: unknown): Answer {
  if (!(error instanceof EngineError)) console.error('The embedded engine failed:', error);
  return answerError(error);
}
