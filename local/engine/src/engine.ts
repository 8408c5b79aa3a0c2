import { setImmediate as nextTurn } from 'node:timers/promises';

import { EngineError, namedError, serializationError, unsupportedError } from './errors.ts';
import { expireItems } from './items/expire.ts';
import { printOutput } from './json.ts';
import { operations } from './operations/index.ts';
import type { Context, Operation } from './operations/operation.ts';
import { readSharedRecords } from './operations/streams.ts';
import { answerError } from './protocol.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import { listAllStreams } from './streams/describe-stream.ts';
import { RecentRecords } from './streams/recent-records.ts';
import { StreamListeners } from './streams/stream-listeners.ts';
import type { Answer, GetRecordsInput, RecordsPage, Transport } from './transport.ts';
import { validateRequest } from './validation/validate.ts';
import { parseNamed } from './values/json-names.ts';

/** Options of an engine. */
export interface EngineOptions {
  /** The database file; absent: in memory. */
  readonly path?: string;
  /** The time in milliseconds since 1970; by default that of the machine, but it never goes back. */
  readonly clock?: () => number;
  /**
   * The last sequence number of a stream that all its readers have read: later records are kept, however old they are. Infinity:
   * nobody needs any. Absent: records are kept for a day, as by DynamoDB.
   */
  readonly readUpTo?: (streamArn: string) => number;
  /** No timer runs: the owner of the clock calls `runChores`. */
  readonly manualChores?: boolean;
  /** Another engine has the database open and writes to it; this one only reads. */
  readonly readOnly?: boolean;
}

/** The clock of the machine, which stands still while somebody has set it back. */
function openClock(): () => number {
  let latest = 0;
  return () => (latest = Math.max(latest, Date.now()));
}

/** An operation with its input. */
interface Request {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether items and keys of the answer may have the plain form. */
  readonly takesPlain: boolean;
}

/** A queued request. */
interface Job extends Request {
  readonly done: (answer: Answer) => void;
}

/** Interval of expiring items and dropping old records. */
const choreIntervalMs = 60_000;
/** Retention of stream records. */
const recordRetentionMs = 86_400_000;
/**
 * The largest batch of items or records to delete, and the pause between two batches, so that requests do not wait
 * long.
 */
const choreBatchSize = 1_000;
const chorePauseMs = 50;

/**
 * DynamoDB's data plane in this process (docs/adr/0014-embedded-engine.md).
 *
 * Each request takes its own callback of the event loop, so that a busy client cannot starve others. Writes that arrive in
 * one turn share a commit and a synchronisation with the disk. A write is answered once it is on disk. Each request
 * sees every write that was answered before it.
 */
export class Engine implements Transport {
  readonly #storage: Storage;
  readonly #context: Context;
  readonly #readUpTo: (streamArn: string) => number;
  readonly #listeners: StreamListeners;
  #recentRecords = new RecentRecords();
  #chores: NodeJS.Timeout | undefined;
  #queue: Job[] = [];
  #isClosed = false;

  /** @throws Error if the file is in use, or of another version. */
  constructor({ path, clock = openClock(), readUpTo, manualChores = false, readOnly = false }: EngineOptions = {}) {
    this.#readUpTo = readUpTo ?? (() => Number.POSITIVE_INFINITY);
    this.#storage = openStorage(path, readOnly);
    this.#listeners = new StreamListeners(this.#storage);
    this.#context = { storage: this.#storage, now: clock };
    if (!manualChores && !readOnly) this.#chores = this.#planChores(choreIntervalMs);
  }

  /** The latest time in the data, in milliseconds since 1970: of a stream record, a table or an index. 0: there is none. */
  get latestTime(): number {
    const { records, tables } = this.#storage;
    const ofTables = tables.list().map(({ createdAt }) => createdAt);
    const ofIndexes = tables.list().flatMap(({ indexes }) => indexes.map(({ activeAt }) => activeAt));
    return Math.max(records.latestTime, 0, ...ofTables, ...ofIndexes);
  }

  send(name: string, body: string): Promise<Answer> {
    return this.#send(name, () => parseBody(body), false);
  }

  sendInput(name: string, input: object): Promise<Answer> {
    return this.#send(name, () => input, true);
  }

  async readRecords(input: GetRecordsInput): Promise<RecordsPage> {
    await nextTurn();
    return this.answerRecords(input);
  }

  /** Reads records synchronously, as {@link answer} carries out a request. */
  answerRecords(input: GetRecordsInput): RecordsPage {
    return this.#storage.read(() => readSharedRecords(this.#context, input, this.#recentRecords));
  }

  async #send(name: string, read: () => unknown, takesPlain: boolean): Promise<Answer> {
    try {
      const operation = operations.get(name);
      if (operation === undefined) throw unsupportedError(name);
      return await this.#enqueue({ operation, input: validateRequest(name, read()), takesPlain });
    } catch (error) {
      return toErrorAnswer(error);
    }
  }

  /**
   * Carries out a request synchronously, for callers that control the order of requests. A write may be answered before
   * it is on disk.
   *
   * @param body The input as JSON text or as an object; absent members of the object may be undefined.
   */
  answer(name: string, body: string | object): Answer {
    try {
      const operation = operations.get(name);
      if (operation === undefined) throw unsupportedError(name);
      const input = validateRequest(name, typeof body === 'string' ? parseBody(body) : body);
      const job = { operation, input, takesPlain: false };
      if (!operation.writes) return this.#read(job);
      const answer = this.#carryOutAlone(job);
      this.#listeners.tell();
      return answer;
    } catch (error) {
      return toErrorAnswer(error);
    }
  }

  /** Calls a listener after commits that may have added stream records, or ended a stream. Returns how to unsubscribe. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /**
   * Deletes a batch of expired items, and of records that are a day older than the latest and that nobody needs.
   *
   * @returns whether there may be more of them.
   */
  runChores(): boolean {
    const { storage, now } = this.#context;
    const { trimmed, expired } = storage.transact(() => ({
      trimmed: this.#trim(),
      expired: expireItems(storage, now(), choreBatchSize),
    }));
    if (expired > 0) this.#listeners.tell();
    return Math.max(trimmed, expired) >= choreBatchSize;
  }

  /** Drops records; returns how many of the stream with the most of them. */
  #trim(): number {
    const { storage } = this.#context;
    const limits = { age: recordRetentionMs, limit: choreBatchSize };
    const dropped = listAllStreams(storage).map(({ stream, arn }) =>
      storage.records.trim(stream.id, { ...limits, upTo: this.#readUpTo(arn) }),
    );
    return Math.max(0, ...dropped);
  }

  #planChores(milliseconds: number): NodeJS.Timeout {
    const run = () => {
      let hasMore = false;
      try {
        hasMore = this.runChores();
      } catch (error) {
        console.error('The embedded engine could not delete what has expired:', error);
      }
      this.#chores = this.#planChores(hasMore ? chorePauseMs : choreIntervalMs);
    };
    return setTimeout(run, milliseconds).unref();
  }

  /** Keeps the present state, in memory, instead of the one that was kept before. */
  keepState(): void {
    this.#flush();
    this.#storage.keep();
  }

  /** Goes back to the state that was kept, streams included. Their readers have to begin anew. */
  restoreState(): void {
    this.#flush();
    this.#storage.restore();
    this.#recentRecords = new RecentRecords();
  }

  /** Commits queued writes and closes the database. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    clearTimeout(this.#chores);
    this.#storage.close();
  }

  #enqueue(request: Request): Promise<Answer> {
    return new Promise((done) => {
      const job = { ...request, done };
      if (!job.operation.writes) {
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
    this.#listeners.tell();
    const answer = (answerOfJob: (at: number) => Answer) => {
      for (const [at, { done }] of jobs.entries()) setImmediate(() => done(answerOfJob(at)));
    };
    this.#storage.synced().then(
      () => answer((at) => answers[at] as Answer),
      // After a disk error the state of the file is unknown.
      (error: unknown) => answer(() => toErrorAnswer(error)),
    );
  }

  #read(request: Request): Answer {
    try {
      return this.#storage.read(() => answerOf(request, this.#context));
    } catch (error) {
      return toErrorAnswer(error);
    }
  }

  /** Commits all requests together. Undefined if one failed unexpectedly: nothing was changed then. */
  #carryOutTogether(jobs: readonly Job[]): Answer[] | undefined {
    try {
      return this.#storage.transact(() => jobs.map((job) => this.#carryOut(job)));
    } catch (error) {
      if (jobs.length > 1) return undefined;
      return [toErrorAnswer(error)];
    }
  }

  #carryOutAlone(job: Request): Answer {
    try {
      return this.#storage.transact(() => this.#carryOut(job));
    } catch (error) {
      return toErrorAnswer(error);
    }
  }

  /** A refused request changes nothing, so the other requests of the batch can be committed. */
  #carryOut(request: Request): Answer {
    try {
      return answerOf(request, this.#context);
    } catch (error) {
      if (error instanceof EngineError) return answerError(error);
      throw error;
    }
  }
}

function parseBody(body: string): unknown {
  try {
    return parseNamed(body);
  } catch {
    throw serializationError('');
  }
}

function answerOf({ operation, input, takesPlain }: Request, context: Context): Answer {
  return { status: 200, ...printOutput(operation.run(context, input as never), takesPlain) };
}

/** Answers an error. Unexpected errors are also printed on the console. */
function toErrorAnswer(cause: unknown): Answer {
  const error = namedError(cause);
  if (!(error instanceof EngineError)) console.error('The embedded engine failed:', error);
  return answerError(error);
}
