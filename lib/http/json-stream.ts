import type { Readable } from 'node:stream';

import { clock } from '../clock.ts';
import { toPythonJson } from '../python/json.ts';
import { type RowSource, sourceOf } from '../rows/ready-rows.ts';
import { wholeStream } from './whole-stream.ts';

/** Size of a chunk in characters: one write per chunk instead of one per row. */
const chunkCharacters = 16 * 1024;

/** The platform's limits of an answer. */
export interface StreamLimits {
  /** When the answer must end, in milliseconds since 1970. */
  readonly until?: number | undefined;
  /** The longest body in bytes. */
  readonly bytes?: number | undefined;
}

/**
 * The last line of a list that was cut off: the beginning of a JSON object. Platform and proxies may hide a broken
 * connection, but a client that parses the lines notices and sees the reason.
 */
const brokenLine =
  '{"ExceptionClass": "RucioException", "ExceptionMessage": "The list is incomplete, it was broken off here';

/**
 * Writes rows as a JSON stream, one value a line. It waits for the first row, so that an earlier error is an ordinary
 * error answer. A later error ends the stream with a line that is not valid JSON (spec/dids.md 1.9). So does a list
 * that exceeds the platform's limits.
 *
 * @returns The stream, or an empty text if there are no rows.
 */
export async function openJsonStream(
  rows: AsyncIterable<unknown>,
  limits: StreamLimits = {},
): Promise<Readable | string> {
  const iterator = sourceOf(rows);
  const first = await iterator.next();
  if (first.done === true) return '';
  return wholeStream(chunks(first.value, iterator, limits), chunkCharacters);
}

async function* chunks(
  first: unknown,
  rest: RowSource<unknown>,
  { until = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY }: StreamLimits,
): AsyncGenerator<string> {
  let chunk = `${toPythonJson(first)}\n`;
  let failure: unknown;
  try {
    // The text is ASCII, so a character is a byte.
    for (let left = bytes - brokenLine.length; ;) {
      const ready = rest.take?.();
      const row = ready === undefined ? await rest.next() : { value: ready, done: false };
      if (row.done === true) break;
      if (clock.now() > until) throw new Error('the list took too long');
      const line = `${toPythonJson(row.value)}\n`;
      if (chunk.length + line.length > left) throw new Error('the list is too long');
      chunk += line;
      if (chunk.length < chunkCharacters) continue;
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
  if (failure !== undefined) throw failure;
}
