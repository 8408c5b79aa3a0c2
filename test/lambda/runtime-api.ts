import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer of a function to one event. */
export interface Delivery {
  /** The call that it made: the answer, or an error in its place. */
  readonly call: 'response' | 'error';
  readonly contentType: string | undefined;
  readonly isStreamed: boolean;
  readonly bytes: Buffer;
  /** False: the connection broke off. */
  readonly isComplete: boolean;
  /** Sent behind an answer that the function could not finish. */
  readonly errorType: string | undefined;
}

interface Pending {
  readonly event: unknown;
  readonly remainingMs: number;
  readonly deliver: (delivery: Delivery) => void;
}

/** The side of Lambda's Runtime API that the platform serves, for one function. */
export class RuntimeApi {
  readonly #server = createServer((request, response) => this.#serve(request, response));
  readonly #waiting: Pending[] = [];
  readonly #running = new Map<string, Pending>();
  #next: ServerResponse | undefined;
  #count = 0;

  /** Listens on a free port of loopback. Returns `host:port`. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Gives the function an event, and the time for it. */
  invoke(event: unknown, remainingMs: number): Promise<Delivery> {
    return new Promise((deliver) => {
      this.#waiting.push({ event, remainingMs, deliver });
      this.#handOut();
    });
  }

  /** Whether the function has finished all events and waits for another one. */
  get isIdle(): boolean {
    return this.#next !== undefined && this.#waiting.length === 0;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const [, id = '', call = ''] = /invocation\/([^/]+)(?:\/(\w+))?$/.exec(request.url ?? '') ?? [];
    if (id === 'next') {
      this.#next = response;
      this.#handOut();
      return;
    }
    const chunks: Buffer[] = [];
    const finish = (isComplete: boolean) => {
      const pending = this.#running.get(id);
      this.#running.delete(id);
      pending?.deliver({
        call: call === 'error' ? 'error' : 'response',
        contentType: request.headers['content-type'],
        isStreamed: request.headers['lambda-runtime-function-response-mode'] === 'streaming',
        bytes: Buffer.concat(chunks),
        isComplete,
        errorType: request.trailers['lambda-runtime-function-error-type'],
      });
    };
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => response.writeHead(202).end(() => finish(true)));
    request.on('close', () => finish(request.complete));
  }

  #handOut(): void {
    if (this.#next === undefined) return;
    const pending = this.#waiting.shift();
    if (pending === undefined) return;
    this.#count += 1;
    const id = `event-${this.#count}`;
    this.#running.set(id, pending);
    this.#next
      .writeHead(200, {
        'Content-Type': 'application/json',
        'Lambda-Runtime-Aws-Request-Id': id,
        'Lambda-Runtime-Deadline-Ms': String(Date.now() + pending.remainingMs),
        'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:us-east-1:000000000000:function:tested',
      })
      .end(JSON.stringify(pending.event));
    this.#next = undefined;
  }
}
