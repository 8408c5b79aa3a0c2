/** A storage for one large file, as S3 and WebDAV show it: what it sends is made, and what it gets is summed and forgotten. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ContentSum } from '../../lib/movers/content-sum.ts';

const block = Buffer.alloc(2 ** 20, 'content of a large file, ');

/** The content of the file from a byte on. */
export function* contentFrom(start: number, bytes: number): Generator<Buffer> {
  for (let offset = start; offset < bytes;) {
    const from = offset % block.length;
    const part = block.subarray(from, Math.min(block.length, from + bytes - offset));
    offset += part.length;
    yield part;
  }
}

/** What the storage tells of a file that it got. */
type Facts = Readonly<Record<string, string>>;

/** Starts it. @param bytes The size of the file at `/store/from/f` and `/bucket/from/f`. */
export async function startLargeStorage(bytes: number) {
  const files = new Map<string, Facts>();
  const parts: string[] = [];
  let partBytes = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://storage');
    const end = (status: number, headers: Facts = {}, text = '') => void response.writeHead(status, headers).end(text);
    const found = path.includes('/from/') ? { 'Content-Length': String(bytes), ETag: '"of-parts"' } : files.get(path);
    switch (request.method) {
      case 'HEAD':
        return end(found === undefined ? 404 : 200, found);
      case 'GET':
        return query.has('uploads') ? end(200, {}, '<ListMultipartUploadsResult/>') : send(request, response, bytes);
      case 'POST': {
        await read(request);
        if (query.has('uploads')) return end(200, {}, '<r><UploadId>one</UploadId></r>');
        const etag = `"${createHash('md5').update(parts.join(''), 'hex').digest('hex')}-${parts.length}"`;
        files.set(path, { 'Content-Length': String(partBytes), ETag: etag });
        return end(200, {}, `<r><ETag>${etag}</ETag></r>`);
      }
      case 'PUT': {
        const sum = await read(request);
        if (!query.has('partNumber')) {
          files.set(path, { 'Content-Length': String(sum.bytes), Digest: `adler32=${sum.adler32}` });
          return end(201);
        }
        parts[Number(query.get('partNumber')) - 1] = sum.md5;
        partBytes += sum.bytes;
        return end(200, { ETag: `"${sum.md5}"` });
      }
      case 'MOVE': {
        const moved = files.get(path);
        files.delete(path);
        if (moved !== undefined) files.set(new URL(String(request.headers['destination'])).pathname, moved);
        return end(201);
      }
      case 'PROPFIND':
        return end(207, {}, '<multistatus/>');
      default:
        return end(204);
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, server };
}

async function read(request: IncomingMessage) {
  const sum = new ContentSum();
  for await (const chunk of request as AsyncIterable<Buffer>) sum.update(chunk);
  return sum.digest();
}

async function send({ headers }: IncomingMessage, response: ServerResponse, bytes: number): Promise<void> {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const range = start === 0 ? {} : { 'Content-Range': `bytes ${start}-${bytes - 1}/${bytes}` };
  response.writeHead(start === 0 ? 200 : 206, { 'Content-Length': bytes - start, ETag: '"of-parts"', ...range });
  await pipeline(Readable.from(contentFrom(start, bytes)), response);
}
