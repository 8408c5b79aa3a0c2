import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectTls } from 'node:tls';

import { type Answer, type Asked, Collector, flatten } from './answer.ts';
import type { Place } from './http1.ts';

/** Whether the server offers HTTP/2 when a TLS connection is opened. */
export async function offersHttp2({ url, patienceMs }: Place): Promise<boolean> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connectTls({
    host,
    port: Number(url.port || 443),
    ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
    ALPNProtocols: ['h2', 'http/1.1'],
    timeout: patienceMs,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(patienceMs) });
    return socket.alpnProtocol === 'h2';
  } finally {
    socket.destroy();
  }
}

/** One connection by HTTP/2. */
export class Http2 {
  readonly #place: Place;
  readonly #session: ClientHttp2Session;

  constructor(place: Place) {
    this.#place = place;
    this.#session = connect(place.url.origin);
    // Every request on the connection fails as well, and says so.
    this.#session.on('error', () => {});
  }

  /**
   * Sends a request and waits for the end of its answer.
   *
   * @throws Trouble if no whole answer came.
   */
  send(asked: Asked): Promise<Answer> {
    const { url, patienceMs } = this.#place;
    const path = url.pathname.replace(/\/$/, '') + asked.path;
    const stream = this.#session.request({ ...asked.headers, ':method': asked.method, ':path': path });
    const collector = new Collector(asked, patienceMs, () => stream.destroy());
    stream.once('response', (headers) => {
      collector.begin(headers[':status'] ?? 0, flatten(headers));
    });
    stream.on('data', (piece: Buffer) => collector.add(piece));
    stream.once('end', () => collector.end());
    stream.on('error', (error) => collector.fail(error));
    stream.end(asked.body);
    return collector.answer;
  }

  close(): void {
    this.#session.destroy();
  }
}
