import type { Integer } from '../../integer.ts';
import { backOff } from '../../retry.ts';
import { ContentSum, type SummedContent } from '../content-sum.ts';
import type { CopiedContent } from '../mismatch.ts';
import { type RetryPolicy, TransientError } from '../retry-policy.ts';

/** A file that is read from a storage of any kind. */
export interface ContentSource {
  /** Its PFN, for people. */
  readonly pfn: string;
  /** Size and checksums as its storage tells them; undefined: there is no such file. @param withSums Asks for checksums. */
  head(withSums: boolean): Promise<CopiedContent | undefined>;
  /** Whether there is a file of a name beside it. */
  hasSibling(name: string): Promise<boolean>;
  /**
   * Reads it from a byte on, by a range where the storage knows them.
   *
   * @throws TransientError if the content breaks off, or nothing comes for a while.
   */
  read(start: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** How the content of a source is read. */
export interface ContentSettings {
  /** The size of the file. */
  readonly bytes: Integer;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
  /** Waits until so many bytes may be copied. */
  readonly pace?: (bytes: number) => Promise<void>;
}

/** The most times that the content of a file is asked for anew, however far each of them comes. */
const maxReopenings = 50;

/** The most times in a row that nothing more may come, or next to nothing. */
const maxFailures = 3;

/** Less is no progress. */
const leastProgressBytes = 65_536;

/**
 * Reads a file whose size is known, from a byte on. Content that breaks off is asked for again from there, as long as it comes
 * further; nothing more than a part of it is held.
 *
 * @throws Error if it comes no further, or is longer than the file.
 */
export async function* readContent(
  source: ContentSource,
  start: number,
  { bytes, retryPolicy, signal, pace }: ContentSettings,
): AsyncGenerator<Uint8Array> {
  const end = Number(bytes);
  let offset = start;
  let failures = 0;
  for (let count = 0; offset < end; count += 1) {
    const before = offset;
    try {
      for await (const chunk of source.read(offset, signal)) {
        signal.throwIfAborted();
        offset += chunk.length;
        if (offset > end) throw new Error(`${source.pfn}: The storage sends more than the ${end} bytes of the file.`);
        await pace?.(chunk.length);
        yield chunk;
      }
      if (offset < end) throw new TransientError(`${source.pfn} ended after ${offset} of ${end} bytes`);
    } catch (error) {
      signal.throwIfAborted();
      failures = offset >= before + leastProgressBytes ? 1 : failures + 1;
      if (!(error instanceof TransientError)) throw error;
      const isLast = failures >= Math.min(maxFailures, retryPolicy.attempts) || count >= maxReopenings;
      // Whoever reads it need not try again.
      if (isLast) throw new Error(`${source.pfn}: ${error.message}`, { cause: error });
      await backOff(retryPolicy, failures, signal);
    }
  }
}

/** Reads a whole file, and sums its content. @throws As {@link readContent}. */
export async function sumSource(source: ContentSource, settings: ContentSettings): Promise<SummedContent> {
  const sum = new ContentSum();
  for await (const chunk of readContent(source, 0, settings)) sum.update(chunk);
  return sum.digest();
}
