import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readParts } from '../../lib/movers/read-answer.ts';
import { sendHttp } from '../../lib/movers/send-http.ts';

const bytes = 8_000_000;
const heads: Readonly<Record<string, string>> = {
  '/close': `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`,
  '/old': 'HTTP/1.0 200 OK\r\n\r\n',
  '/keep': `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`,
};

/** A server that sends content, and resets the connection before its end. */
const server = createServer((socket: Socket) => {
  socket.on('error', () => {});
  socket.once('data', (request) => {
    const [, path = ''] = /^GET (\S+)/.exec(request.toString()) ?? [];
    socket.write(heads[path] ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    socket.write(Buffer.alloc(bytes - 1_000), () => socket.resetAndDestroy());
  });
});
let host: string;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Reads an answer more slowly than it comes. */
async function readSlowly(path: string): Promise<number> {
  const { signal } = new AbortController();
  const url = `${host}${path}`;
  const answer = await sendHttp({ method: 'GET', url, headers: {}, signal });
  const retryPolicy = { attempts: 1, firstPauseMs: 1, longestPauseMs: 1, answerMs: 5_000, slowAnswerMs: 5_000 };
  let [read, count] = [0, 0];
  for await (const part of readParts(answer, { url, signal, retryPolicy })) {
    read += part.length;
    count += 1;
    // The connection takes more until it is full, so that the reset comes in such a pause or right after it.
    if (count % 20 === 0) await sleep(5);
  }
  return read;
}

describe('a server that resets the connection while its content is read slowly', () => {
  it.each(Object.keys(heads))('fails the copy, which is tried again, and no thread: %s', async (path) => {
    for (let count = 0; count < 5; count += 1) {
      await expect(readSlowly(path)).rejects.toThrow(/no answer from 127\.0\.0\.1:\d+: ECONNRESET/);
    }
  });
});
