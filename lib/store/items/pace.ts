import { RucioError, unavailable } from '../../errors.ts';

/** Requests under way at once, and how soon there may be more of them again. */
const most = 16;

/**
 * How many requests of a bulk request are under way at once: fewer while the table cannot keep up, so that the request gets
 * through at the rate of the table instead of being undone and sent again.
 */
export class Pace {
  #allowed = most;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Sends a request when its turn comes. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    while (this.#running >= Math.floor(this.#allowed)) await this.#turn();
    this.#running += 1;
    try {
      return await send();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** The table could not keep up. */
  throttled(): void {
    this.#allowed = Math.max(1, this.#allowed / 2);
  }

  /** The table has taken a request. */
  taken(): void {
    this.#allowed = Math.min(most, this.#allowed + 1 / this.#allowed);
    if (this.#running < Math.floor(this.#allowed)) this.#waiting.shift()?.();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/** From this many writes of bulk requests on a process that is throttled takes no more, and for how long, in milliseconds. */
const overload = { writes: 5_000, time: 5_000 };

/** What a process has under way of bulk requests. */
export class Load {
  #writes = 0;
  #throttledAt = Number.NEGATIVE_INFINITY;

  /**
   * Takes a bulk request on, before anything of it is written.
   *
   * @returns What is to be called at its end.
   * @throws DatabaseException (503) when the table does not keep up with what there is.
   */
  admit(writes: number): () => void {
    const isLate = Math.abs(Date.now() - this.#throttledAt) < overload.time;
    if (isLate && this.#writes >= overload.writes) throw unavailable(undefined, overload.time / 1_000);
    this.#writes += writes;
    return () => {
      this.#writes -= writes;
    };
  }

  /** The table could not keep up. */
  throttled(): void {
    this.#throttledAt = Date.now();
  }
}

const loads = new WeakMap<object, Load>();

/** The load of one client of the table. */
export function loadOf(client: object): Load {
  const load = loads.get(client) ?? new Load();
  loads.set(client, load);
  return load;
}

/** Codes of single statements and names of errors that say that the table cannot keep up. */
const throttles = new Set([
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ThrottlingException',
]);

/** Whether the code of a statement says that the table could not keep up. */
export const isThrottle = (code: string | undefined) => throttles.has(code ?? '');

/** Whether a request failed because the table could not keep up. */
export function isThrottled(error: unknown): boolean {
  return error instanceof RucioError && error.cause instanceof Error && isThrottle(error.cause.name);
}
