import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { toJson } from '../json.ts';

/** Characters that are gathered before they are handed on: one write a chunk, not one a row. */
const chunkSize = 16 * 1024;

/** What the platform takes of an answer. */
export interface StreamLimits {
  /** Until when it has to be written, in milliseconds since 1970. */
  readonly until?: number | undefined;
  /** How long it may be, in bytes. */
  readonly bytes?: number | undefined;
}

/**
 * What a list ends with that is broken off: the beginning of one more line, which is no JSON. Whether the connection is seen
 * to break is up to the platform and to proxies; whoever reads the lines notices in any case, and sees why.
 */
const brokenLine =
  '{"ExceptionClass": "RucioException", "ExceptionMessage": "The list is incomplete, it was broken off here';

/**
 * Writes rows as a JSON stream, one value a line. The first row is waited for, so that an error found before it is
 * still an ordinary error answer. A later one breaks the stream off, after a line that is no JSON (spec/dids.md 1.9), and
 * so does a list that is longer than the platform takes.
 *
 * @returns The stream, or an empty text when there are no rows.
 */
export async function openJsonStream(
  rows: AsyncIterable<unknown>,
  limits: StreamLimits = {},
): Promise<Readable | string> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return '';
  const taken = () => isTaken(stream);
  const stream: Readable = Readable.from(chunks(first.value, iterator, limits, taken), {
    objectMode: false,
    highWaterMark: chunkSize,
  });
  return stream;
}

/** Resolves once a stream has handed on what it holds; an error would have it thrown away. */
async function isTaken(stream: Readable): Promise<void> {
  while (stream.readableLength > 0 && !stream.destroyed) await sleep(10);
}

async function* chunks(
  first: unknown,
  rest: AsyncIterator<unknown>,
  { until = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY }: StreamLimits,
  taken: () => Promise<void>,
): AsyncGenerator<string> {
  let chunk = `${toJson(first)}\n`;
  let failure: unknown;
  try {
    // The text is ASCII: a character is a byte.
    for (let left = bytes - brokenLine.length; ;) {
      const row = await rest.next();
      if (row.done === true) break;
      if (Date.now() > until) throw new Error('a list took longer than an answer may');
      const line = `${toJson(row.value)}\n`;
      if (chunk.length + line.length > left) throw new Error('a list is longer than an answer may be');
      chunk += line;
      if (chunk.length < chunkSize) continue;
      left -= chunk.length;
      yield chunk;
      chunk = '';
    }
  } catch (error) {
    failure = error;
    chunk += brokenLine;
  } finally {
    await rest.return?.();
  }
  if (chunk !== '') yield chunk;
  if (failure === undefined) return;
  await taken();
  throw failure;
}
