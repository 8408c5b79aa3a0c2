import { Catalogue, type CatalogueSize } from './catalogue.ts';
import { LoadClient, type Credentials } from './client.ts';
import { measureRow, waitForQuiet, waitUntilIdle, type MeasureOptions } from './measure.ts';
import { mixedRow } from './mixed-row.ts';
import { describeMachine, ProcessorTime } from './processor-time.ts';
import { listReadRows } from './read-rows.ts';
import { get, Requests } from './requests.ts';
import type { RowResult, RunResult } from './results.ts';
import type { Row } from './row.ts';
import { seed } from './seed.ts';
import { listWriteRows } from './write-rows.ts';

/** A server to measure. */
export interface Target {
  readonly url: string;
  readonly label: string;
  /** Its processes on this machine. */
  readonly pids: readonly number[];
  /** Where the progress of seeding is recorded; absent for a server that ends with the run. */
  readonly progressFile?: string;
}

/** The measured rows, and the way in which they are measured. */
export interface RunSettings {
  readonly size: CatalogueSize;
  readonly credentials: Credentials;
  /** Numbers of connections. */
  readonly levels: readonly number[];
  readonly seconds: number;
  readonly mixedSeconds: number;
  /** Rows whose name fits are measured. */
  readonly only?: RegExp | undefined;
  readonly skip?: RegExp | undefined;
  /** A row waits, and is measured again, while others keep more processors busy; absent: never. */
  readonly quiet?: { readonly otherCpus: number; readonly retries: number } | undefined;
  readonly isSeedOnly?: boolean;
}

/** A row that would take longer is not measured over more connections. */
const maxLatencyMs = 90_000;
const quietWaitSeconds = 15;
/** Reactions to the seed must not be counted for the first rows. */
export const idleWaitSeconds = 60;

/** Reactions to a row are over before another server is measured. */
const settleSeconds = 20;

/**
 * Seeds servers, as far as it is not done, and measures them in turn, row by row, in every round. So a machine whose speed
 * changes within minutes, because it is shared, is as fast for one as for the other.
 *
 * @param report Receives the label of a server, and a row when it is measured.
 * @returns The runs of each round, in the order of the servers.
 * @throws Error when a server cannot be reached or seeded.
 */
export async function runInTurn(
  targets: readonly Target[],
  settings: RunSettings,
  rounds: number,
  report: (label: string, row: RowResult) => void,
): Promise<RunResult[][]> {
  const servers: SeededServer[] = [];
  try {
    for (const target of targets) {
      servers.push(await SeededServer.open(target, settings, (row) => report(target.label, row)));
    }
    const runs = Array.from({ length: rounds }, () => servers.map((server) => new Run(server, settings)));
    for (let isOver = settings.isSeedOnly === true; !isOver;) {
      isOver = true;
      for (const run of runs.flat()) {
        if (!(await run.measureNext(report))) continue;
        isOver = false;
        if (servers.length > 1) await waitUntilIdle(run.server.processorTime, settleSeconds);
      }
    }
    return runs.map((round) => round.map((run) => run.result()));
  } finally {
    await Promise.all(servers.map((server) => server.client.close()));
  }
}

/** A server with its catalogue. */
class SeededServer {
  readonly target: Target;
  readonly client: LoadClient;
  readonly catalogue: Catalogue;
  readonly processorTime: ProcessorTime | undefined;
  version = '';
  /** The phases of seeding that had something to do. */
  seeded: readonly RowResult[] = [];

  private constructor(target: Target, { credentials, size }: RunSettings) {
    this.target = target;
    this.client = new LoadClient(target.url, credentials);
    this.catalogue = new Catalogue(size);
    this.processorTime = ProcessorTime.of(target.pids);
  }

  static async open(target: Target, settings: RunSettings, report: (row: RowResult) => void): Promise<SeededServer> {
    const server = new SeededServer(target, settings);
    const { client, catalogue, processorTime } = server;
    try {
      server.version = await readVersion(client);
      const { progressFile } = target;
      const options = { ...(progressFile === undefined ? {} : { progressFile }), processorTime, report };
      server.seeded = await seed(client, catalogue, options);
      if (server.seeded.length > 0) await waitUntilIdle(processorTime, idleWaitSeconds);
      return server;
    } catch (error) {
      await client.close();
      throw error;
    }
  }
}

let lastRun = 0;

/** One measurement of all rows of a server. */
class Run {
  readonly server: SeededServer;
  readonly #settings: RunSettings;
  readonly #pending: AsyncGenerator<RowResult>;
  readonly #measured: RowResult[] = [];

  constructor(server: SeededServer, settings: RunSettings) {
    this.server = server;
    this.#settings = settings;
    const { client, catalogue, processorTime } = server;
    const { seconds, mixedSeconds } = settings;
    lastRun += 1;
    const requests = new Requests(catalogue, `${Date.now().toString(36)}${lastRun}`);
    const options = { client, requests, processorTime, seconds, mixedSeconds };
    this.#pending = measureRows(listRows(catalogue, settings), settings, options);
  }

  /** Measures the next row; false if there is none. */
  async measureNext(report: (label: string, row: RowResult) => void): Promise<boolean> {
    const { done, value } = await this.#pending.next();
    if (done === true) return false;
    this.#measured.push(value);
    report(this.server.target.label, value);
    return true;
  }

  result(): RunResult {
    const { target, version, seeded } = this.server;
    const { size, seconds } = this.#settings;
    const rows = [...this.#measured, ...seeded];
    const date = new Date().toISOString();
    return { label: target.label, version, date, machine: describeMachine(), size, seconds, rows };
  }
}

/** The rows to measure, in their order. */
export function listRows(catalogue: Catalogue, { only, skip }: Pick<RunSettings, 'only' | 'skip'> = {}): Row[] {
  const all = [...listReadRows(catalogue), ...listWriteRows(catalogue), mixedRow];
  return all.filter(({ name }) => (only?.test(name) ?? true) && !(skip?.test(name) ?? false));
}

async function* measureRows(
  rows: readonly Row[],
  settings: RunSettings,
  options: MeasureOptions,
): AsyncGenerator<RowResult> {
  for (const row of rows) {
    let last: RowResult | undefined;
    for (const connections of row.connections ?? settings.levels) {
      const expectedMs = ((last?.latencyMs?.p50 ?? 0) * connections) / (last?.connections ?? connections);
      if (last !== undefined && expectedMs > maxLatencyMs) {
        yield skippedRow(row.name, connections, `a request would take ${Math.round(expectedMs / 1000)} s`);
        continue;
      }
      try {
        last = await measureQuietly(row, connections, settings, options);
        yield last;
      } catch (error) {
        yield skippedRow(row.name, connections, error instanceof Error ? error.message : String(error));
      }
    }
  }
}

/** Measures a row; again while others disturb it, and then keeps the measurement with the least disturbance. */
async function measureQuietly(
  row: Row,
  connections: number,
  { quiet }: RunSettings,
  options: MeasureOptions,
): Promise<RowResult> {
  if (quiet === undefined) return measureRow(row, connections, options);
  await waitForQuiet(options.processorTime, quiet.otherCpus, quietWaitSeconds);
  let best = await measureRow(row, connections, options);
  for (let retry = 0; retry < quiet.retries && (best.otherCpus ?? 0) > quiet.otherCpus; retry += 1) {
    const again = await measureRow(row, connections, options);
    if ((again.otherCpus ?? 0) < (best.otherCpus ?? 0)) best = again;
  }
  return best;
}

function skippedRow(name: string, connections: number, skipped: string): RowResult {
  return { name, connections, requests: 0, errors: 0, seconds: 0, rate: 0, skipped };
}

async function readVersion(client: LoadClient): Promise<string> {
  const { text } = await client.call(get('/ping'), { keepText: true });
  return /"version"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? 'of unknown version';
}
