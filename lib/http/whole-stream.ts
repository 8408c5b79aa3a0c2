import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A chunk of a body. */
type Chunk = string | Uint8Array;

/**
 * Makes a stream of chunks. A failure comes after all chunks before it: by itself a stream discards what it has buffered
 * when it fails.
 */
export function wholeStream(chunks: AsyncIterable<Chunk>, highWaterMark: number): Readable {
  const stream: Readable = Readable.from(
    deliverThenFail(chunks, () => stream),
    { objectMode: false, highWaterMark },
  );
  return stream;
}

async function* deliverThenFail(chunks: AsyncIterable<Chunk>, streamOf: () => Readable): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } catch (error) {
    const stream = streamOf();
    while (stream.readableLength > 0 && !stream.destroyed) await sleep(10);
    throw error;
  }
}
