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

/** The last results of jobs, by their names, kept in a data folder: a restart knows what was missed. */
export class JobState {
  readonly #path: string;
  readonly #results: Map<string, JobResult>;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'jobs.json');
    this.#results = new Map(read(this.#path).map((result) => [result.name, result]));
  }

  get(name: string): JobResult | undefined {
    return this.#results.get(name);
  }

  /** Stores a result. A disk that is full loses it, and nothing else. */
  set(result: JobResult): void {
    this.#results.set(result.name, result);
    const text = JSON.stringify([...this.#results.values()], null, 2);
    try {
      writeFileSync(`${this.#path}.new`, `${text}\n`, { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      console.error(`the results of jobs could not be stored: ${String(error)}`);
    }
  }
}

function read(path: string): JobResult[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JobResult[];
  } catch {
    return [];
  }
}
