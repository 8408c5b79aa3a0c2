import { type Attempts, retry } from '../retry.ts';

/** A failure that may be gone at the next attempt: no answer, a server that is overloaded or broken for the moment. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}

/** Retry policy: attempts, timeouts, and exponential back-off with full jitter. */
export interface RetryPolicy extends Attempts {
  /** Timeouts for an answer, and for one that needs work, such as a checksum or a copy. */
  readonly answerMs: number;
  readonly slowAnswerMs: number;
}

/** The pauses are some twenty seconds at most: a storage that is down for longer fails the copy, which is repeated later. */
export const usualRetryPolicy: RetryPolicy = {
  answerMs: 60_000,
  slowAnswerMs: 290_000,
  attempts: 7,
  firstPauseMs: 200,
  longestPauseMs: 8_000,
};

/**
 * Tries again what fails with a transient error.
 *
 * @throws The last {@link TransientError}, any other error at once, and the reason of the signal.
 */
export async function retryTransient<T>(act: () => Promise<T>, policy: Attempts, signal: AbortSignal): Promise<T> {
  return retry(act, policy, (error) => error instanceof TransientError, signal);
}
