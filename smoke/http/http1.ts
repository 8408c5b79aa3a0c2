import { Agent, type ClientRequest, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Readable } from 'node:stream';

import { type Answer, type Asked, Collector, flatten } from './answer.ts';

/** Size of the pieces of a long body, between which the wait begins anew. */
const pieceBytes = 64 * 1024;

/** Methods whose requests have no effect, and may be sent again. */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Where and how requests are sent. */
export interface Place {
  readonly url: URL;
  /** How long nothing may happen before a request counts as hanging. */
  readonly patienceMs: number;
  /** The certificate that the client presents, with its key, in PEM. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

/** Connections by HTTP/1.1 that are used again. */
export class Http1 {
  readonly #place: Place;
  readonly #agent: Agent;
  readonly #isOneConnection: boolean;

  /** @param connections At most so many; one: every request goes over the same connection, whose end is told. */
  constructor(place: Place, connections = 16) {
    this.#place = place;
    this.#isOneConnection = connections === 1;
    const options = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections };
    this.#agent = place.url.protocol === 'https:' ? new TlsAgent({ ...options, ...place.tls }) : new Agent(options);
  }

  /**
   * Sends a request and waits for the end of its answer. A read over a connection that has waited is sent again if the
   * connection ends without an answer: the other side may close it at any time, also at this one.
   *
   * @throws Trouble if no whole answer came.
   */
  send(asked: Asked): Promise<Answer> {
    const { patienceMs } = this.#place;
    let request: ClientRequest;
    const collector = new Collector(asked, patienceMs, () => request.destroy());
    const attempt = () => {
      request = this.#open(asked, collector);
      request.on('error', (error) => {
        // A refusal may come before the whole body was sent; then it counts, and not that the rest was not wanted.
        if (collector.hasHead || collector.isOver) return;
        if (request.reusedSocket && !this.#isOneConnection && repeatable.has(asked.method)) attempt();
        else collector.fail(error);
      });
    };
    attempt();
    return collector.answer;
  }

  #open(asked: Asked, collector: Collector): ClientRequest {
    const { url } = this.#place;
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    const body = asked.body === undefined ? undefined : Buffer.from(asked.body);
    const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
    const request = send({
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      method: asked.method,
      path: url.pathname.replace(/\/$/, '') + asked.path,
      headers: { ...asked.headers, ...length },
      agent: this.#agent,
    });
    request.once('response', (response) => {
      collector.begin(response.statusCode ?? 0, flatten(response.headers));
      response.on('data', (piece: Buffer) => collector.add(piece));
      response.once('end', () => collector.end());
      response.once('error', (error) => collector.fail(error));
    });
    if (body === undefined || body.length <= pieceBytes) request.end(body);
    else Readable.from(pieces(body, () => collector.refresh())).pipe(request);
    return request;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function* pieces(body: Buffer, onPiece: () => void): Generator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    onPiece();
    yield body.subarray(at, at + pieceBytes);
  }
}
