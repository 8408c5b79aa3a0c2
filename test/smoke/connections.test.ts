/** What a connection may do between two requests: of the client of the smoke test, and of the front end of its tests. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from 'vitest';

import { Http1 } from '../../smoke/http/http1.ts';
import { startProxy } from './faulty-proxy.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a connection that ends when it is used again', () => {
  const used = new WeakSet<Socket>();
  /** Serves one request over each connection, without a word that it is the last one. */
  const serveOnce = () =>
    serve((incoming, answer) => {
      if (used.has(incoming.socket)) return void incoming.socket.destroy();
      used.add(incoming.socket);
      answer.writeHead(200, { 'Content-Length': 5 }).end('whole');
    });
  const closed = /the connection was closed without an answer/;

  it.each(['GET', 'HEAD', 'OPTIONS'])('costs a read nothing, which is sent again: %s', async (method) => {
    const http = new Http1({ url: new URL(await serveOnce()), patienceMs: 10_000 });
    await http.send({ method, path: '/' });
    expect(await http.send({ method, path: '/' })).toMatchObject({ status: 200 });
    http.close();
  });

  it('is told of a write, which may have had its effect', async () => {
    const http = new Http1({ url: new URL(await serveOnce()), patienceMs: 10_000 });
    await http.send({ method: 'POST', path: '/' });
    await expect(http.send({ method: 'POST', path: '/' })).rejects.toThrow(closed);
    http.close();
  });

  it('is told where the connection itself is tried', async () => {
    const http = new Http1({ url: new URL(await serveOnce()), patienceMs: 10_000 }, 1);
    await http.send({ method: 'GET', path: '/' });
    await expect(http.send({ method: 'GET', path: '/' })).rejects.toThrow(closed);
    http.close();
  });

  it('is told if it was a new one', async () => {
    const http = new Http1({ url: new URL(await serve(({ socket }) => socket.destroy())), patienceMs: 10_000 });
    await expect(http.send({ method: 'GET', path: '/' })).rejects.toThrow(closed);
    http.close();
  });
});

it('an answer of which only the status matters ends soon after it, also if it stays open', async () => {
  const url = new URL(await serve((_incoming, answer) => answer.writeHead(200).flushHeaders()));
  const http = new Http1({ url, patienceMs: 60_000 });
  const sent = http.send({ method: 'DELETE', path: '/', endWithinMs: 50 });
  await expect(sent).rejects.toMatchObject({ kind: 'open', head: { status: 200 } });
  http.close();
});

it('the front end reads the rest of a body that was refused, and answers the next request of its connection', async () => {
  const proxy = await startProxy(
    await serve((incoming, answer) => {
      if (incoming.method === 'GET') return void answer.end('next');
      // As Dapple refuses: the whole answer at once, and its end when the sender has finished.
      answer.writeHead(413, { Connection: 'close', 'Content-Length': 8 }).write('too long');
      incoming.resume().once('end', () => answer.end());
    }),
    {},
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const half = Buffer.alloc(500_000);
  const long = request(proxy.url, { method: 'POST', agent, headers: { 'Content-Length': 2 * half.length } });
  long.write(half);
  const [refusal] = (await once(long, 'response')) as [IncomingMessage];
  expect([refusal.statusCode, await text(refusal)]).toEqual([413, 'too long']);
  long.end(half);
  const [answer] = (await once(request(proxy.url, { agent }).end(), 'response')) as [IncomingMessage];
  expect(await text(answer)).toBe('next');
  agent.destroy();
  await proxy.close();
});
