import { env } from '../env.ts';
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
import { type Attempt, countAttempt } from './login-attempts.ts';
import { readStream, type StreamBatch } from './stream/read-stream.ts';
import type { StreamRecord } from './stream/record.ts';

/** What a request reads and writes the catalogue through. */
export interface Store {
  /** The catalogue as it was when the request began. */
  readonly table: Table;
  /** When the request began, in milliseconds since 1970. */
  readonly beganAt: number;
  /**
   * Writes all or nothing.
   *
   * @param plan Reads what it needs from the latest state, decides, and returns the writes; called again when another
   *   writer got in between.
   */
  write(plan: (latest: Table) => Promise<Plan>, options?: WriteOptions): Promise<void>;
  /**
   * The same for an operation that answers what it has decided on: the answer is known before anything is written.
   *
   * @returns The answer that goes with what was written.
   */
  decide<T>(plan: (latest: Table) => Promise<Outcome<T>>, options?: WriteOptions): Promise<T>;
  /** The same store for a request that begins now. */
  begin(): Store;
  /**
   * Clears away what bulk requests left behind whose writer is gone; returns how many those were.
   *
   * @param alone Nobody else writes to the table now, as at the start of a server with a table of its own.
   */
  recoverBatches(alone?: boolean): Promise<number>;
  /** Counts a checked password; returns the failures that close the door to it. */
  countAttempt(attempt: Attempt): Promise<Failures | undefined>;
  /** Reads committed changes out of records of the table's stream, those of one shard in their order. */
  readStream(records: readonly StreamRecord[]): Promise<StreamBatch>;
}

/** Opens the store. The connection is made on first use. */
export function openStore(options: ClientOptions & { readonly tableName?: string } = {}): Store {
  const { tableName = env.tableName, ...clientOptions } = options;
  const client = createClient(clientOptions);
  return bind({ client, tableName, batches: new BatchLog(client, tableName) });
}

let shared: Store | undefined;

/** The store of this process, as a request finds it that begins now. */
export function beginRequest(): Store {
  shared ??= openStore();
  return shared.begin();
}

function bind(writer: Writer): Store {
  const tableAsOf = (now: number) => new Table(writer.client, writer.tableName, new View(writer.batches, now));
  const beganAt = Date.now();
  const write: Store['write'] = (plan, options) =>
    writeAtomically(
      writer,
      async (attempt) => {
        const latest = tableAsOf(Date.now()).noting();
        return withMetadataIndex(latest, await plan(latest), attempt > 0);
      },
      options,
    );
  return {
    table: tableAsOf(beganAt),
    beganAt,
    write,
    decide: (plan, options) => decideBy(write, plan, options),
    begin: () => bind(writer),
    recoverBatches: (alone = false) => recover(writer, alone),
    countAttempt: (attempt) => countAttempt(writer, attempt),
    readStream: (records) => readStream(writer, records),
  };
}

async function decideBy<T>(
  write: Store['write'],
  plan: (latest: Table) => Promise<Outcome<T>>,
  options?: WriteOptions,
): Promise<T> {
  let answer = (): T => {
    throw new Error('nothing was planned');
  };
  await write(async (latest) => {
    const outcome = await plan(latest);
    answer = () => outcome.answer;
    return outcome.writes;
  }, options);
  return answer();
}
