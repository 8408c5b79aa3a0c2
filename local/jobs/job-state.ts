import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a run of a job has ended; times in milliseconds since 1970. */
export interface JobResult {
  readonly name: string;
  readonly command: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** As of the command; 0: all is well. */
  readonly code: number | null;
  readonly output: string;
  /** The end of the last run that was well; absent: there was none. */
  readonly wellAt?: number;
}

/** What came of a run, in words. */
export function verdictOf({ command, code }: Pick<JobResult, 'command' | 'code'>): string {
  if (code === 0) return 'done';
  return code === 1 && command === 'check-storage' ? 'found differences' : 'failed';
}

/** The last line that a run printed. */
export const lastLineOf = ({ output }: Pick<JobResult, 'output'>) => output.trim().split('\n').at(-1) ?? '';

/** The last results of the jobs of a data folder; none if they cannot be read. */
export function readResults(dataDir: string): JobResult[] {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as JobResult[];
  } catch {
    return [];
  }
}

/** Forgets the results of jobs that a server no longer has, so that nobody is told of them for ever. */
export function forgetOtherJobs(dataDir: string, names: readonly string[]): void {
  const known = readResults(dataDir);
  const kept = known.filter(({ name }) => names.includes(name));
  if (kept.length < known.length) writeResults(dataDir, kept);
}

function writeResults(dataDir: string, results: readonly JobResult[]): void {
  const path = fileOf(dataDir);
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(results, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    console.error(`the results of jobs could not be stored: ${String(error)}`);
  }
}

const fileOf = (dataDir: string) => join(dataDir, 'jobs.json');

/** The last results of jobs, by their names, kept in a data folder: a restart knows what was missed. */
export class JobState {
  readonly #dataDir: string;
  readonly #results: Map<string, JobResult>;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#results = new Map(readResults(dataDir).map((result) => [result.name, result]));
  }

  get(name: string): JobResult | undefined {
    return this.#results.get(name);
  }

  /** Stores a result. A disk that is full loses it, and nothing else. */
  set(result: JobResult): void {
    this.#results.set(result.name, result);
    writeResults(this.#dataDir, [...this.#results.values()]);
  }
}
