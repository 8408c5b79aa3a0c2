import { RucioError } from '../../errors.ts';

/** The event streams that one account may have open in a process: each polls the log, and keeps a connection. */
const maxStreams = 20;

const retryAfterSeconds = 30;

const openStreams = new Map<string, number>();

/**
 * Counts a stream of an account until it ends.
 *
 * @returns Ends it; may be called again.
 * @throws ResourceTemporaryUnavailable (429) when the account has too many.
 */
export function countStream(account: string): () => void {
  const count = openStreams.get(account) ?? 0;
  if (count >= maxStreams) {
    const message = `Account ${account} has ${maxStreams} event streams open. Please close one, or try again later.`;
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    throw new RucioError('ResourceTemporaryUnavailable', message, { status: 429, headers });
  }
  openStreams.set(account, count + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (openStreams.get(account) ?? 1) - 1;
    if (left > 0) openStreams.set(account, left);
    else openStreams.delete(account);
  };
}

/** Rows that can be left before their end. */
export interface Leavable<T> extends AsyncIterableIterator<T> {
  return(value?: unknown): Promise<IteratorResult<T>>;
}

/** Passes rows on, and calls `onEnd` when they end or are left, even if none was read. */
export function callAtEnd<T>(rows: AsyncGenerator<T>, onEnd: () => void): Leavable<T> {
  return {
    next: async () => {
      try {
        const step = await rows.next();
        if (step.done === true) onEnd();
        return step;
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    return: async () => {
      onEnd();
      return rows.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
