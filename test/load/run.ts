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

/** What is measured, and how. */
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
/** What follows from seeding must not be counted for the first rows. */
export const idleWaitSeconds = 60;

/**
 * Seeds a server, as far as it is not done, and measures all rows.
 *
 * @param report Receives each row when it is measured.
 * @throws Error when the server cannot be reached or seeded.
 */
export async function runLoad(
  target: Target,
  settings: RunSettings,
  report: (row: RowResult) => void = () => {},
): Promise<RunResult> {
  const client = new LoadClient(target.url, settings.credentials);
  const catalogue = new Catalogue(settings.size);
  const processorTime = ProcessorTime.of(target.pids);
  try {
    const version = await readVersion(client);
    const { progressFile } = target;
    const seeded = await seed(client, catalogue, {
      ...(progressFile === undefined ? {} : { progressFile }),
      processorTime,
      report,
    });
    if (seeded.length > 0) await waitUntilIdle(processorTime, idleWaitSeconds);
    const measured: RowResult[] = [];
    if (settings.isSeedOnly !== true) {
      const requests = new Requests(catalogue, Date.now().toString(36));
      const { seconds, mixedSeconds } = settings;
      const options = { client, requests, processorTime, seconds, mixedSeconds };
      for await (const row of measureRows(listRows(catalogue, settings), settings, options)) {
        measured.push(row);
        report(row);
      }
    }
    const { label } = target;
    const { size, seconds } = settings;
    const date = new Date().toISOString();
    return { label, version, date, machine: describeMachine(), size, seconds, rows: [...measured, ...seeded] };
  } finally {
    await client.close();
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
