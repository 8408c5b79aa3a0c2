import { clock } from '../clock.ts';
import { env } from '../env.ts';
import { errorStatus, RucioError } from '../errors.ts';
import { BatchLog } from './batches/batches.ts';
import { writeAtomically, type WriteOptions } from './batches/commit.ts';
import { recover } from './batches/recover.ts';
import { Table } from './batches/table.ts';
import { View } from './batches/view.ts';
import type { Writer } from './batches/writer.ts';
import type { Failures } from './entities/login.ts';
import { withMetadataIndex } from './index-plan.ts';
import { type ClientOptions, createClient } from './items/client.ts';
import type { Outcome, Plan } from './items/plan.ts';
import { countLoginAttempt, type LoginAttempt } from './login-attempts.ts';
import { withOpenRses } from './open-rses.ts';
import { withToldFleet } from './told-fleet.ts';

/** The access of one request to the catalogue. */
export interface Store {
  /** A snapshot of the catalogue as of the begin of the request. */
  readonly table: Table;
  /** When the request began, in milliseconds since 1970. */
  readonly beganAt: number;
  /**
   * Writes a plan atomically.
   *
   * @param plan Reads the latest state, decides, and returns the writes; called again after a conflict, and after a refusal that may be
   *   outdated.
   */
  write(plan: (latest: Table) => Promise<Plan>, options?: WriteOptions): Promise<void>;
  /**
   * Writes a plan atomically and returns the answer that the plan decided.
   *
   * @returns The answer of the plan that was written.
   */
  decide<T>(plan: (latest: Table) => Promise<Outcome<T>>, options?: WriteOptions): Promise<T>;
  /** The same store for a request that begins now. */
  begin(): Store;
  /**
   * Rolls back or completes batches whose writer is gone; returns how many were rolled back.
   *
   * @param alone No other process writes to the table, as at the start of a server with its own table.
   */
  recoverBatches(alone?: boolean): Promise<number>;
  /** Counts a login attempt; returns the failures that block it. */
  countLoginAttempt(attempt: LoginAttempt): Promise<Failures | undefined>;
}

/** Opens the store. The connection is made on first use. */
export function openStore(options: ClientOptions & { readonly tableName?: string } = {}): Store {
  const { tableName = env.tableName, ...clientOptions } = options;
  const client = createClient(clientOptions);
  return bind({ client, tableName, batches: new BatchLog(client, tableName) });
}

let shared: Store | undefined;

/** The store of this process for a request that begins now. */
export function beginRequest(): Store {
  shared ??= openStore();
  return shared.begin();
}

const writers = new WeakMap<Store, Writer>();

/** The connection of an open store, for what lib/store offers beside it; most functions need only the store. */
export function writerOf(store: Store): Writer {
  const writer = writers.get(store);
  if (writer === undefined) throw new Error('the store was not opened here');
  return writer;
}

function bind(writer: Writer): Store {
  const beganAt = clock.now();
  const commit = (plan: (latest: Table) => Promise<Plan>) => writeAtomically(writer, () => planAsOfNow(writer, plan));
  const write: Store['write'] = (plan, options) =>
    writeAtomically(
      writer,
      (attempt) =>
        planAsOfNow(writer, async (table) => {
          const latest = table.caching();
          const open = await withOpenRses(latest, await withToldFleet(latest, await plan(latest)));
          return withMetadataIndex(latest, open, { isRetry: attempt > 0, commit });
        }),
      options,
    );
  const store: Store = {
    table: tableThrough(writer, new View(writer.batches)),
    beganAt,
    write,
    decide: (plan, options) => decideBy(write, plan, options),
    begin: () => bind(writer),
    recoverBatches: (alone = false) => recover(writer, alone),
    countLoginAttempt: (attempt) => countLoginAttempt(writer, attempt),
  };
  writers.set(store, writer);
  return store;
}

const tableThrough = ({ client, tableName }: Writer, view: View) => new Table(client, tableName, view);

/** How often a plan is made at most in one attempt. */
const maxReadings = 3;

/** The statuses of refusals that are due to what was read. */
const refusals = new Set([400, 404, 409]);

/**
 * Makes a plan of what is committed now. A plan that throws a refusal after its view has hidden a commit is made again with a new view:
 * if the clock of this process is behind, the commit may have been answered before this request began.
 */
async function planAsOfNow(writer: Writer, makePlan: (latest: Table) => Promise<Plan>): Promise<Plan> {
  for (let reading = 1; ; reading += 1) {
    const view = new View(writer.batches);
    try {
      return await makePlan(tableThrough(writer, view));
    } catch (error) {
      if (!isRefusal(error) || !view.hidesCommits || reading === maxReadings) throw error;
    }
  }
}

const isRefusal = (error: unknown) =>
  error instanceof RucioError && refusals.has(error.status ?? errorStatus[error.name]);

async function decideBy<T>(
  write: Store['write'],
  plan: (latest: Table) => Promise<Outcome<T>>,
  options?: WriteOptions,
): Promise<T> {
  let answer = (): T => {
    throw new Error('the plan was not called');
  };
  await write(async (latest) => {
    const outcome = await plan(latest);
    answer = () => outcome.answer;
    return outcome.writes;
  }, options);
  return answer();
}
