import { clock } from '../../clock.ts';
import { RucioError, unavailable } from '../../errors.ts';

/** The limit of concurrent requests of one batch. */
const maxParallelRequests = 16;

/**
 * Limits the concurrent requests of a batch. The limit halves when the table throttles and recovers with each success, so
 * that the batch completes at the rate of the table instead of being rolled back and sent again.
 */
export class Pace {
  #allowed = maxParallelRequests;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Sends a request once the limit allows it. */
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

  /** Halves the limit after a throttled request. */
  slowDown(): void {
    this.#allowed = Math.max(1, this.#allowed / 2);
  }

  /** Raises the limit a little after an accepted request. */
  speedUp(): void {
    this.#allowed = Math.min(maxParallelRequests, this.#allowed + 1 / this.#allowed);
    if (this.#running < Math.floor(this.#allowed)) this.#waiting.shift()?.();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/** While it is throttled, a process with this many pending writes accepts no further batch. */
const maxPendingWrites = 5_000;

/** How long a process counts as throttled. */
const throttledMs = 5_000;

/** The pending writes of all batches of a process. */
export class BatchLoad {
  #writes = 0;
  #throttledAt = Number.NEGATIVE_INFINITY;

  /**
   * Admits a batch before anything of it is written.
   *
   * @returns The function to call at its end.
   * @throws DatabaseException (503) when the table throttles and too many writes are pending.
   */
  admit(writes: number): () => void {
    const isThrottling = Math.abs(clock.now() - this.#throttledAt) < throttledMs;
    if (isThrottling && this.#writes >= maxPendingWrites) throw unavailable(undefined, throttledMs / 1_000);
    this.#writes += writes;
    return () => {
      this.#writes -= writes;
    };
  }

  /** Records that the table throttled a request. */
  recordThrottle(): void {
    this.#throttledAt = clock.now();
  }
}

const loads = new WeakMap<object, BatchLoad>();

/** The pending batch writes of one client of the table. */
export function loadOf(client: object): BatchLoad {
  const load = loads.get(client) ?? new BatchLoad();
  loads.set(client, load);
  return load;
}

/** The codes of statements, and the names of errors, that mean throttling. */
const throttleCodes = new Set([
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ThrottlingException',
]);

/** Whether the code of a statement means throttling. */
export const isThrottleCode = (code: string | undefined) => throttleCodes.has(code ?? '');

/** Whether a request failed by throttling. */
export function isThrottled(error: unknown): boolean {
  return error instanceof RucioError && error.cause instanceof Error && isThrottleCode(error.cause.name);
}
