import { createServer, request as send, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { Certificate } from '../support/certificate.ts';

/** A request on its way to the server; a fault may change it. */
export interface Passing {
  method: string;
  path: string;
  readonly headers: IncomingHttpHeaders;
}

/** The answer on its way back, whole. */
export interface Returning {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The answer to a client. */
export type Reply = Parameters<RequestListener>[1];

/** Faults of a front end. */
export interface Fault {
  /** Before the request passes; true: the fault has answered, or never will. */
  readonly before?: (request: Passing, reply: Reply) => boolean | void;
  /** Collects the answer and changes it; true: the fault has answered, or never will. */
  readonly after?: (answer: Returning, request: Passing, reply: Reply) => boolean | void;
}

/** A running front end. */
export interface FaultyProxy {
  readonly url: string;
  close(): Promise<void>;
}

const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'http2-settings']);

/**
 * Starts a front end of a server that has a fault.
 *
 * @param certificate With one it speaks TLS, and HTTP/1.1 as HTTP/2.
 */
export async function startProxy(target: string, fault: Fault, certificate?: Certificate): Promise<FaultyProxy> {
  const listener: RequestListener = (incoming, reply) => {
    const request: Passing = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: withoutConnection(incoming.headers),
    };
    if (fault.before?.(request, reply) === true) return void incoming.resume();
    const upstream = send(target, { method: request.method, path: request.path, headers: request.headers }, (given) => {
      const headers = withoutConnection(given.headers);
      const status = given.statusCode ?? 502;
      if (fault.after === undefined) {
        reply.writeHead(status, headers);
        pipeline(given, reply, () => {});
        return;
      }
      const change = (body: Buffer) => {
        const answer = { status, headers, body };
        const isAnswered = fault.after?.(answer, request, reply) === true;
        return isAnswered ? undefined : reply.writeHead(answer.status, answer.headers).end(answer.body);
      };
      buffer(given).then(change, () => reply.destroy());
    });
    // An answer that came before the whole body is valid, whatever becomes of the rest.
    upstream.on('error', () => reply.headersSent || reply.destroy());
    reply.once('close', () => {
      // The rest of a body that nobody wants: unread, it would keep the next request of its connection from being read.
      incoming.unpipe().resume();
      upstream.destroy();
    });
    incoming.pipe(upstream);
  };
  const server =
    certificate === undefined
      ? createServer(listener)
      : createSecureServer({ ...certificate, allowHTTP1: true }, listener as never);
  const sessions = new Set<{ destroy(): void }>();
  server.on('connection', (socket: { destroy(): void }) => sessions.add(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.has(name) && !name.startsWith(':')),
  );
}
