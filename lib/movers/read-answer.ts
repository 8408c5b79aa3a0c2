import type { Integer } from '../integer.ts';
import { ContentSum, type SummedContent } from './content-sum.ts';
import { TransientError, type RetryPolicy, retryTransient } from './retry-policy.ts';
import { describeSilence } from './send-http.ts';

/** The most bytes that are read of an answer that is no file: an error, or the end of a request. */
const maxTextBytes = 65_536;

/**
 * The text of an answer, at most its first 64 KB: a storage may send without end.
 *
 * @param maxBytes For services whose answers are longer.
 */
export async function readText(
  answer: Response,
  url: string,
  signal: AbortSignal,
  maxBytes = maxTextBytes,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    // The end of the loop cancels the rest of the body.
    for await (const chunk of answer.body ?? []) {
      const part = (chunk as Uint8Array).subarray(0, maxBytes - bytes);
      bytes += part.length;
      text += decoder.decode(part, { stream: true });
      if (bytes >= maxBytes) break;
    }
    return text + decoder.decode();
  } catch (error) {
    throw describeSilence(error, url, signal);
  }
}

/** The most attempts to read a file whose content breaks off. */
const maxReadings = 3;

/** How the content of a file is read. */
export interface ContentReading {
  readonly url: string;
  /** The size that the file should have: no more than a little over that is read. */
  readonly bytes: Integer | undefined;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/**
 * Asks for a file, reads it and sums its content; repeats that if the answer breaks off.
 *
 * @param open Asks for the file; its answer counts before the content has come.
 * @throws What `open` throws; TransientError if there is no answer, or nothing more comes; Error if the content is longer than the
 *   file should be, or cannot be read as it is stored.
 */
export async function sumFile(
  open: (signal: AbortSignal) => Promise<Response>,
  reading: ContentReading,
): Promise<SummedContent> {
  const { retryPolicy, signal } = reading;
  const read = async () => sumContent(await openInTime(open, reading), reading);
  return retryTransient(read, { ...retryPolicy, attempts: Math.min(maxReadings, retryPolicy.attempts) }, signal);
}

/** Sums the content of an answer. */
async function sumContent(answer: Response, reading: ContentReading): Promise<SummedContent> {
  const { url, bytes } = reading;
  const sum = new ContentSum();
  for await (const part of readParts(answer, reading)) {
    sum.update(part);
    if (bytes !== undefined && BigInt(sum.bytes) > BigInt(bytes)) {
      throw new Error(`${new URL(url).host} sends more than the ${bytes} bytes of the file.`);
    }
  }
  return sum.digest();
}

/** A storage that sends less hangs: it would hold the place of other copies for days. */
const leastBytesPerMs = 1;

/**
 * Reads the content of an answer as it is stored, part by part.
 *
 * @throws TransientError if it breaks off, or next to nothing more comes; Error if it is encoded.
 */
export async function* readParts(
  answer: Response,
  { url, signal, retryPolicy }: Omit<ContentReading, 'bytes'>,
): AsyncGenerator<Uint8Array> {
  const coding = answer.headers.get('content-encoding') ?? 'identity';
  // With any other coding the checksums of what comes are not those of the file.
  if (coding !== 'identity' && coding !== 'aws-chunked') {
    await answer.body?.cancel();
    throw new Error(`${new URL(url).host} sends the content encoded (${coding}).`);
  }
  const reader = answer.body?.getReader();
  const { answerMs } = retryPolicy;
  let [waited, bytes] = [0, 0];
  try {
    for (;;) {
      const asked = performance.now();
      const part = reader === undefined ? undefined : await readPart(reader, url, signal, answerMs);
      if (part?.value === undefined) return;
      [waited, bytes] = [waited + performance.now() - asked, bytes + part.value.length];
      yield part.value;
      if (waited < answerMs) continue;
      if (bytes < leastBytesPerMs * waited)
        throw new TransientError(`${new URL(url).host} sent ${bytes} bytes in ${Math.round(waited / 1_000)} s`);
      [waited, bytes] = [0, 0];
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

async function readPart(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  url: string,
  signal: AbortSignal,
  answerMs: number,
): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> {
  try {
    return await within(reader.read(), answerMs, url);
  } catch (error) {
    throw error instanceof TransientError ? error : describeSilence(error, url, signal);
  }
}

/**
 * Asks for a file; its answer must begin in time.
 *
 * @param open Asks for it, with a signal that ends the question and the answer.
 * @throws What `open` throws; TransientError if there is no answer.
 */
export async function openInTime(
  open: (signal: AbortSignal) => Promise<Response>,
  { url, retryPolicy, signal }: Omit<ContentReading, 'bytes'>,
): Promise<Response> {
  const silent = new AbortController();
  const silence = new TransientError(`no answer from ${new URL(url).host} to GET`);
  const timer = setTimeout(() => silent.abort(silence), retryPolicy.answerMs);
  return open(AbortSignal.any([signal, silent.signal])).finally(() => clearTimeout(timer));
}

async function within<T>(reading: Promise<T>, milliseconds: number, url: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const failure = new TransientError(`${new URL(url).host} sent nothing for ${Math.round(milliseconds / 1_000)} s`);
    timer = setTimeout(() => reject(failure), milliseconds);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
