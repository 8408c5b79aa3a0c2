/** What the host of the functions knows of the catalogue and the table does not tell. */
export interface Surroundings {
  /** Seconds by which each consumer of the stream is behind, by its name. */
  readonly streamLags: () => ReadonlyMap<string, number>;
  /** When the last backup was made, in milliseconds since 1970; undefined: never, as far as is known. */
  readonly lastBackup: () => number | undefined;
  /** The last run of each job of the server that has run. */
  readonly jobs: () => readonly JobRun[];
  /** In a sentence, that the disk of the data is full or nearly so; undefined: there is space. */
  readonly diskProblem: () => string | undefined;
}

/** How a job ran last; times in milliseconds since 1970. */
export interface JobRun {
  /** The command with its options. */
  readonly name: string;
  /** What came of it, such as `done`, `failed` or `found differences`. */
  readonly verdict: string;
  readonly isWell: boolean;
  readonly endedAt: number;
  /** The end of the last run that was well; undefined: there was none. */
  readonly wellAt?: number | undefined;
  /** The last line that it printed. */
  readonly said: string;
}

let surroundings: Surroundings | undefined;

/** Sets what this process knows; undefined: nothing, as on Lambda, where CloudWatch watches the stream. */
export function setSurroundings(known: Surroundings | undefined): void {
  surroundings = known;
}

/** What this process knows. */
export function getSurroundings(): Surroundings | undefined {
  return surroundings;
}
