import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

import { env } from '../env.ts';
import { eventStreamType } from './event-stream.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/**
 * Compresses streamed answers for clients that accept gzip; lists shrink to about a tenth. A buffered answer passes the
 * gateway as text and stays uncompressed. Events stay uncompressed because a compressor would delay them.
 */
export function compress(): Edge {
  const compressBody = ({ context: { exchange }, response }: EdgeRequest) => {
    if (!response || !(response.body instanceof Readable) || env.responseMode !== 'stream') return;
    if (response.headers['Content-Type'] === eventStreamType) return;
    response.headers['Vary'] = 'Accept-Encoding';
    if (!isCompressed(exchange.http.headers)) return;
    response.headers['Content-Encoding'] = 'gzip';
    // An error while reading the rows destroys the compressor, which cuts the answer off.
    response.body = pipeline(response.body, createGzip(), () => {});
  };
  return { after: compressBody };
}

/** Whether a streamed answer to a request is compressed. */
export function isCompressed(headers: Readonly<Record<string, string>>): boolean {
  return acceptsGzip(headers['accept-encoding'] ?? '');
}

/** Whether an `Accept-Encoding` header names gzip without refusing it (RFC 9110, 12.5.3). */
function acceptsGzip(header: string): boolean {
  return header.split(',').some((coding) => {
    const [name, ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    return name === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
