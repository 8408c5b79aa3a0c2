import { chunksOf } from '../../chunks.ts';
import { log } from '../../log.ts';
import type { CopiedContent } from '../mismatch.ts';
import { type CopyEnds, type CopyPlace, isSamePlace, type StorageRse } from '../mover.ts';
import { TransientError, type RetryPolicy, usualRetryPolicy } from '../retry-policy.ts';
import {
  type Submission,
  type ToolJob,
  ToolRefusal,
  type ToolState,
  type TransferTool,
  UndeclaredTool,
} from '../transfer-tool.ts';
import { findChecksumObstacle } from './checksum-plan.ts';
import { addressOf, describeJob, maxAddressLength, type StorageTokens } from './describe-job.ts';
import { FtsCallers } from './fts-callers.ts';
import { FtsBreakdown, FtsClient, FtsError } from './fts-client.ts';
import { listHosts } from './fts-hosts.ts';
import { computeJobId } from './job-id.ts';
import { readState } from './read-state.ts';

/** The tokens of an RSE: that for FTS itself, and that for its storage. */
export interface FtsTokens {
  readonly fts: string | undefined;
  readonly storage: string | undefined;
}

/** Settings of the tool. */
export interface FtsSettings {
  readonly findTokens: (rse: StorageRse) => Promise<FtsTokens>;
  readonly retryPolicy?: RetryPolicy;
}

/** The most jobs that one request asks about, or cancels. */
const maxJobsPerRequest = 100;

/** A server that is silent is given up soon: the next run begins within a minute. */
const ftsRetryPolicy: RetryPolicy = { ...usualRetryPolicy, answerMs: 20_000, attempts: 3, longestPauseMs: 2_000 };

/** The most failed requests in one round of questions. After that many, FTS is not asked about the remaining jobs. */
const maxBreakdowns = 64;

/** The most jobs without a state that one record of the log names. */
const maxLoggedJobs = 10;

/** Statuses by which FTS may refuse the caller: unauthorized, forbidden, and credentials that have ended. */
const callerStatuses: ReadonlySet<number> = new Set([401, 403, 419]);

/** A round of questions. */
interface Poll {
  readonly states: Map<string, ToolState>;
  /** Jobs of which FTS told nothing, and why. */
  readonly untold: string[];
  breakdownsLeft: number;
}

/** A connection to a server, with the token of an RSE, which it accepts. */
interface Connection {
  readonly client: FtsClient;
  readonly host: string;
  readonly token: string;
  readonly rse: StorageRse;
  readonly signal: AbortSignal;
  /** The id of the job of an attempt. */
  readonly idOf: (attemptId: string) => string;
}

/**
 * Lets an FTS3 server copy: the first that the attribute `fts` of the destination names, as in Rucio. Each file is a job of its
 * own, whose id follows from the attempt, so that FTS refuses to make it twice.
 */
export class FtsTool implements TransferTool {
  readonly name = 'fts';
  readonly schemes = ['davs', 'https', 'root', 'srm', 'gsiftp'];
  readonly #findTokens: FtsSettings['findTokens'];
  readonly #retryPolicy: RetryPolicy;
  readonly #callers = new FtsCallers();

  constructor({ findTokens, retryPolicy = ftsRetryPolicy }: FtsSettings) {
    [this.#findTokens, this.#retryPolicy] = [findTokens, retryPolicy];
  }

  findHost(rse: StorageRse): string | undefined {
    return listHosts(rse)[0];
  }

  async findObstacle(copy: CopyEnds & CopiedContent): Promise<string | undefined> {
    const { source, destination } = copy;
    if (isSamePlace(source, destination)) return `${destination.pfn} is the same file as its source.`;
    if (this.findHost(destination.rse) === undefined)
      return `The attribute fts of ${destination.rse.rse} names no server.`;
    const odd = [source, destination].find(cannotBeNamed);
    if (odd !== undefined) return `${odd.pfn} has marks that its scheme cannot tell FTS.`;
    const long = [source, destination].find((place) => addressOf(place).length > maxAddressLength);
    if (long !== undefined)
      return `The address of the file on ${long.rse.rse} is longer than the ${maxAddressLength} characters that FTS takes.`;
    const tokens = await this.#findStorageTokens(copy);
    return typeof tokens === 'string' ? tokens : findChecksumObstacle(copy, copy);
  }

  async submit(job: ToolJob, signal: AbortSignal): Promise<Submission> {
    const { rse } = job.destination;
    const obstacle = await this.findObstacle(job);
    const [host, tokens] = [this.findHost(rse), await this.#findStorageTokens(job)];
    if (obstacle !== undefined || host === undefined || typeof tokens === 'string') throw new ToolRefusal(obstacle);
    const connection = await this.#connect(host, rse, signal);
    const expected = connection.idOf(job.attemptId);
    try {
      const id = await connection.client.submit(describeJob(job, tokens), job.requireLease);
      if (id === undefined) return { host, id: await this.#findEarlier(connection, job) };
      // FTS takes the caller for another one by now.
      if (id !== expected) this.#callers.forget(connection);
      return { host, id };
    } catch (error) {
      if (error instanceof TransientError) return { host, id: await this.#confirm(connection, expected, error) };
      const reason = await this.#explain(error, connection);
      throw reason instanceof FtsError ? new ToolRefusal(reason.message) : reason;
    }
  }

  async poll(host: string, ids: readonly string[], to: StorageRse, signal: AbortSignal) {
    const connection = await this.#connect(host, to, signal);
    const states = new Map<string, ToolState>(ids.map((id) => [id, { state: 'running' }]));
    const poll: Poll = { states, untold: [], breakdownsLeft: maxBreakdowns };
    for (const some of chunksOf(ids, maxJobsPerRequest)) await this.#pollSome(connection, some, poll);
    if (poll.untold.length > 0)
      log.warn('FTS does not tell what became of copies', {
        host,
        rse: to.rse,
        jobs: poll.untold.slice(0, maxLoggedJobs),
      });
    return states;
  }

  async prioritize({ host, id }: Submission, priority: number, to: StorageRse, signal: AbortSignal): Promise<void> {
    const { client } = await this.#connect(host, to, signal);
    await client.prioritize(id, priority);
  }

  async cancel(host: string, ids: readonly string[], to: StorageRse, signal: AbortSignal): Promise<void> {
    const connection = await this.#connect(host, to, signal);
    for (const some of chunksOf(ids, maxJobsPerRequest)) {
      try {
        const [left] = await connection.client.cancel(some);
        if (left === undefined) continue;
        const what = `FTS does not cancel ${left.id}: ${left.status} ${left.message}`;
        throw left.status >= 500 ? new TransientError(what) : new FtsError(left.status, what);
      } catch (error) {
        throw await this.#explain(error, connection);
      }
    }
  }

  /** @throws UndeclaredTool, ToolRefusal: the server is not one of the RSE, or does not accept its token; ToolSilence. */
  async #connect(host: string, rse: StorageRse, signal: AbortSignal): Promise<Connection> {
    if (!listHosts(rse).includes(host))
      throw new UndeclaredTool(
        `The attribute fts of ${rse.rse} does not name ${host}, to which its token must not go.`,
      );
    const { fts: token } = await this.#findTokens(rse);
    if (token === undefined) throw new ToolRefusal(`There is no fts_token in the credentials of ${rse.rse}.`);
    const client = new FtsClient(host, { token, signal, retryPolicy: this.#retryPolicy });
    const { baseId, vo } = await this.#callers.ask({ host, token }, client);
    if (vo === undefined)
      throw new ToolRefusal(`FTS at ${new URL(host).host} does not accept the fts_token of ${rse.rse}.`);
    const idOf = (attemptId: string) => computeJobId({ baseId, vo }, attemptId);
    return { client, host, token, rse, signal, idOf };
  }

  /** Connects anew, since FTS may take the caller for another one, or nobody, by now. */
  #reconnect(connection: Connection): Promise<Connection> {
    this.#callers.forget(connection);
    return this.#connect(connection.host, connection.rse, connection.signal);
  }

  /** The job of an attempt that FTS refuses, since it has it already. @throws ToolRefusal: it is another job to the file. */
  async #findEarlier(connection: Connection, { attemptId, destination }: ToolJob): Promise<string> {
    const expected = connection.idOf(attemptId);
    if (await isKnown(connection, expected)) return expected;
    const again = await this.#reconnect(connection);
    const present = again.idOf(attemptId);
    if (present !== expected && (await isKnown(again, present))) return present;
    throw new ToolRefusal(`FTS has another job to ${destination.pfn}.`);
  }

  /**
   * Whether a job was submitted of which the answer is missing. If FTS does not tell, it counts as submitted: asking for its state
   * tells later.
   *
   * @throws TransientError: it was not.
   */
  async #confirm(connection: Connection, id: string, failure: TransientError): Promise<string> {
    this.#callers.forget(connection);
    try {
      if (await isKnown(connection, id)) return id;
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      return id;
    }
    throw failure;
  }

  /** The error to throw for one of FTS: perhaps it does not refuse the request, but its caller. */
  async #explain(error: unknown, connection: Connection): Promise<unknown> {
    // It breaks down for callers whom it does not know, too.
    const mayConcernCaller =
      error instanceof TransientError || (error instanceof FtsError && callerStatuses.has(error.status));
    try {
      if (mayConcernCaller) await this.#reconnect(connection);
    } catch (reason) {
      return reason;
    }
    return error;
  }

  /** Asks about jobs; in halves where FTS breaks down, so that one of them does not hide the others. */
  async #pollSome(connection: Connection, ids: readonly string[], poll: Poll): Promise<void> {
    try {
      for (const entry of await connection.client.find(ids)) {
        const state = readState(entry);
        if (state !== undefined) poll.states.set(entry.id, state);
        else poll.untold.push(`${entry.id}: ${entry.status} ${entry.message}`);
      }
    } catch (error) {
      const reason = await this.#explain(error, connection);
      if (!(reason instanceof FtsBreakdown) || (poll.breakdownsLeft -= 1) < 0) throw reason;
      if (ids.length === 1) return void poll.untold.push(`${ids[0]}: ${reason.message}`);
      const middle = Math.ceil(ids.length / 2);
      for (const half of [ids.slice(0, middle), ids.slice(middle)]) await this.#pollSome(connection, half, poll);
    }
  }

  /** The tokens of both storages, or why there are none: FTS would send them its own. */
  async #findStorageTokens({ source, destination }: CopyEnds): Promise<StorageTokens | string> {
    const [from, to] = await Promise.all([source, destination].map(({ rse }) => this.#findTokens(rse)));
    const poor = from?.storage === undefined ? source : destination;
    return from?.storage === undefined || to?.storage === undefined
      ? `There is no auth_token in the credentials of ${poor.rse.rse}.`
      : { source: from.storage, destination: to.storage };
  }
}

async function isKnown({ client }: Connection, id: string): Promise<boolean> {
  return (await client.find([id])).some(({ status }) => status !== 404);
}

/**
 * Whether FTS, or the storage, takes the address of a file for another one: for a query, or without its end, or in another
 * folder. HTTP escapes such marks.
 */
function cannotBeNamed({ url, pfn }: CopyPlace): boolean {
  return url === undefined && /[?#\p{Cc}]|\s$|\/\.{1,2}(?:\/|$)/u.test(pfn.replace('?SFN=', ''));
}
