import { Readable } from 'node:stream';

import { toJson } from '../json.ts';

/** Characters that are gathered before they are handed on: one write a chunk, not one a row. */
const chunkSize = 16 * 1024;

/**
 * Writes rows as a JSON stream, one value a line. The first row is waited for, so that an error found before it is
 * still an ordinary error answer; a later one breaks the stream off (spec/dids.md 1.9).
 *
 * @returns The stream, or an empty text when there are no rows.
 */
export async function openJsonStream(rows: AsyncIterable<unknown>): Promise<Readable | string> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return '';
  return Readable.from(chunks(first.value, iterator), { objectMode: false, highWaterMark: chunkSize });
}

async function* chunks(first: unknown, rest: AsyncIterator<unknown>): AsyncGenerator<string> {
  try {
    let chunk = `${toJson(first)}\n`;
    for (let row = await rest.next(); row.done !== true; row = await rest.next()) {
      chunk += `${toJson(row.value)}\n`;
      if (chunk.length >= chunkSize) {
        yield chunk;
        chunk = '';
      }
    }
    if (chunk !== '') yield chunk;
  } finally {
    await rest.return?.();
  }
}
