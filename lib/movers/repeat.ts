import { setTimeout as sleep } from 'node:timers/promises';

/** A failure that may pass: no answer, a server that is overloaded or broken for the moment. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';
}

/** How often a request is sent, and the pauses in between: twice as long each time, of which a random part is waited. */
export interface Patience {
  /** How long a storage may take for an answer, and for one that needs work, such as a checksum or a copy. */
  readonly answerMs: number;
  readonly slowAnswerMs: number;
  readonly attempts: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** The pauses are some twenty seconds at most: a storage that is down for longer fails the copy, which is repeated later. */
export const usualPatience: Patience = {
  answerMs: 60_000,
  slowAnswerMs: 290_000,
  attempts: 7,
  firstPauseMs: 200,
  longestPauseMs: 8_000,
};

/**
 * Repeats what fails for the moment.
 *
 * @throws The last {@link PassingFailure}, any other error at once, and the reason of the signal.
 */
export async function repeat<T>(
  act: () => Promise<T>,
  { attempts, firstPauseMs, longestPauseMs }: Pick<Patience, 'attempts' | 'firstPauseMs' | 'longestPauseMs'>,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PassingFailure) || attempt === attempts) throw error;
      const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
      await sleep(Math.random() * longest, undefined, { signal });
    }
  }
}
