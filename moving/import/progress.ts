/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Intervals between two lines: on a terminal, where they replace each other, and in a file. */
const intervalsMs = { terminal: 500, file: 10_000 } as const;

/** Shows how far an import is: rows, rate and time left. */
export class Progress {
  readonly #screen: Screen;
  #expected: number;
  readonly #startedAt = performance.now();
  #shownAt = 0;
  #rows = 0;
  #section = '';

  /** @param expected Rows that are left to do, as the database estimates them. */
  constructor(screen: Screen, expected: number) {
    this.#screen = screen;
    this.#expected = expected;
  }

  /** Rows that were done so far. */
  get rows(): number {
    return this.#rows;
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  begin(section: string): void {
    this.#section = section;
  }

  /** Rows that need not be done. */
  skip(rows: number): void {
    this.#expected -= rows;
  }

  add(rows: number): void {
    this.#rows += rows;
    const now = performance.now();
    const interval = this.#screen.isTTY === true ? intervalsMs.terminal : intervalsMs.file;
    if (now - this.#shownAt < interval) return;
    this.#shownAt = now;
    this.#show(this.describe());
  }

  /** Ends the line of a terminal. */
  end(): void {
    if (this.#screen.isTTY === true) this.#screen.write('\r\u001b[K');
  }

  /** The line that is shown now. */
  describe(): string {
    const rate = this.#rows / Math.max(this.seconds, 0.001);
    const left = Math.max(0, this.#expected - this.#rows);
    const share = this.#expected === 0 ? 100 : Math.min(99, Math.floor((100 * this.#rows) / this.#expected));
    return (
      `${this.#section}: ${formatCount(this.#rows)} of some ${formatCount(this.#expected)} rows (${share}%), ` +
      `${formatCount(rate)} rows/s, ${formatTime(left / Math.max(rate, 0.001))} left`
    );
  }

  #show(line: string): void {
    this.#screen.write(this.#screen.isTTY === true ? `\r\u001b[K${line}` : `${line}\n`);
  }
}

/** A number with its thousands apart. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

function formatTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.ceil(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}
