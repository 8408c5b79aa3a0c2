import type { CatalogueSize } from './catalogue.ts';
import type { Summary } from './statistics.ts';

/** The measurement of one operation at one number of connections. */
export interface RowResult {
  readonly name: string;
  readonly connections: number;
  readonly requests: number;
  /** Requests with a wrong answer. They count neither for the rate nor for latencies. */
  readonly errors: number;
  /** Descriptions of some of the wrong answers. */
  readonly faults?: readonly string[];
  readonly seconds: number;
  /** Right answers in a second; of a phase of seeding, the things made in a second. */
  readonly rate: number;
  readonly latencyMs?: Summary | undefined;
  readonly firstByteMs?: Summary | undefined;
  /** Rows read, or things written, in a second. */
  readonly rowsPerSecond?: number;
  /** Processor time of all processes of the server for one request. */
  readonly serverCpuMs?: number;
  /** Processors that the load generator kept busy. */
  readonly ownCpus?: number;
  /** Processors that were busy with anything but the server and the load generator. */
  readonly otherCpus?: number;
  /** The most memory of the server, shared pages counted once. */
  readonly memoryMb?: number;
  /** Latencies of the parts of a mixed load. */
  readonly parts?: Readonly<Record<string, Summary | undefined>>;
  /** Why it was not measured. */
  readonly skipped?: string;
}

/** One measurement of one server. */
export interface RunResult {
  readonly label: string;
  readonly version: string;
  readonly date: string;
  readonly machine: string;
  readonly size: CatalogueSize;
  /** Length of a measurement. */
  readonly seconds: number;
  readonly rows: readonly RowResult[];
}

/**
 * A run with the rows of an earlier one that it has not measured.
 *
 * @throws Error if the earlier one was of another catalogue.
 */
export function mergeRuns(earlier: RunResult, run: RunResult): RunResult {
  if (JSON.stringify(earlier.size) !== JSON.stringify(run.size)) throw new Error('the catalogues differ');
  const isMeasuredAgain = (old: RowResult) =>
    run.rows.some(({ name, connections }) => name === old.name && connections === old.connections);
  const rows = [...run.rows, ...earlier.rows.filter((old) => !isMeasuredAgain(old))];
  // Seeding comes last, in whatever run it was.
  const isSeeding = ({ name }: RowResult) => name.startsWith('seed ');
  return { ...run, rows: [...rows.filter((row) => !isSeeding(row)), ...rows.filter(isSeeding)] };
}
