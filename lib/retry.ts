import { setTimeout as sleep } from 'node:timers/promises';

/** Exponential back-off with full jitter: a random part of a pause that doubles with each retry, up to the longest one. */
export interface Backoff {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** How often something is tried, and the pauses in between. */
export interface Attempts extends Backoff {
  readonly attempts: number;
}

/** Waits before a retry; `count`: which one, from 1 on. Rejects with the reason of the signal. */
export async function backOff(
  { firstPauseMs, longestPauseMs }: Backoff,
  count: number,
  signal?: AbortSignal,
): Promise<void> {
  await sleep(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (count - 1)), undefined, { signal });
}

/**
 * Tries again what fails for the moment.
 *
 * @param isTransient Whether a failure may be gone at the next attempt.
 * @throws The last failure, one that is not transient at once, and the reason of the signal.
 */
export async function retry<T>(
  act: () => Promise<T>,
  policy: Attempts,
  isTransient: (error: unknown) => boolean,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt === policy.attempts || !isTransient(error)) throw error;
    }
    await backOff(policy, attempt, signal);
  }
}
