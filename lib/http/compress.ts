import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

import { env } from '../env.ts';
import { eventStreamType } from './event-stream.ts';
import type { Edge, EdgeRequest } from './exchange.ts';
import { wholeStream } from './whole-stream.ts';

/** Size of a compressed chunk, that of zlib's. */
const chunkBytes = 16 * 1024;

/**
 * Compresses streamed answers for clients that accept gzip; lists shrink to about a tenth. A buffered answer passes the
 * gateway as text and stays uncompressed. Events stay uncompressed because a compressor would delay them.
 */
export function compress(): Edge {
  const compressBody = ({ context: { exchange }, response }: EdgeRequest) => {
    if (!response || !(response.body instanceof Readable) || env.responseMode !== 'stream' || !env.compresses) return;
    if (response.headers['Content-Type'] === eventStreamType) return;
    response.headers['Vary'] = 'Accept-Encoding';
    if (!isCompressed(exchange.http.headers)) return;
    response.headers['Content-Encoding'] = 'gzip';
    response.body = gzip(response.body);
  };
  return { after: compressBody };
}

/** Compresses a body. If the body fails, its chunks before the failure arrive completely, then the failure. */
function gzip(body: Readable): Readable {
  const compressed = wholeStream(compressedChunks(body), chunkBytes);
  compressed.once('close', () => body.destroy());
  return compressed;
}

async function* compressedChunks(body: Readable): AsyncGenerator<Buffer> {
  const compressor = createGzip();
  let failure: Error | undefined;
  body.once('error', (error) => {
    failure = error;
    compressor.end();
  });
  yield* body.pipe(compressor);
  if (failure !== undefined) throw failure;
}

/** Whether a streamed answer to a request is compressed. */
export function isCompressed(headers: Readonly<Record<string, string>>): boolean {
  return env.compresses && acceptsGzip(headers['accept-encoding'] ?? '');
}

/** Whether an `Accept-Encoding` header names gzip without refusing it (RFC 9110, 12.5.3). */
function acceptsGzip(header: string): boolean {
  return header.split(',').some((coding) => {
    const [name, ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    return name === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
