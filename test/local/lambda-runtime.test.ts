import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { GatewayAnswer } from '../../lib/http/exchange.ts';
import { streamAnswers } from '../../lib/http/stream-answer.ts';
import { answerOverHttp, type Metadata } from '../../local/answer-sink.ts';
import { defineLambdaRuntime, invoke, type Handler, type StreamingHandler } from '../../local/lambda-runtime.ts';
import { lambdaContext } from '../../local/proxy-event.ts';

type Answer = GatewayAnswer & Pick<Metadata, 'multiValueHeaders' | 'cookies'>;

interface Runtime {
  streamifyResponse(handler: StreamingHandler): Handler;
  HttpResponseStream: { from(stream: Writable, metadata: Metadata): Writable };
}

let server: Server;
let port: number;
let handler: Handler;
let outcome: Promise<unknown>;
let runtime: Runtime;

beforeAll(async () => {
  defineLambdaRuntime();
  runtime = (globalThis as unknown as { awslambda: Runtime }).awslambda;
  server = createServer((_request, response) => {
    outcome = invoke(handler, {} as APIGatewayProxyEvent, lambdaContext('test', 1000), answerOverHttp(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(() => server.close().closeAllConnections());

beforeEach(() => {
  outcome = Promise.resolve(undefined);
});

/** A handler in the form of lib/http. */
function answering(answer: () => Answer | Promise<Answer>): Handler {
  return streamAnswers(async () => answer());
}

async function call(method = 'GET'): Promise<IncomingMessage> {
  const [response] = (await once(httpRequest({ host: '127.0.0.1', port, method }).end(), 'response')) as [
    IncomingMessage,
  ];
  return response;
}

describe('a streamed answer', () => {
  it('that its handler destroys is reported: it would end the process of a deployed function', async () => {
    handler = runtime.streamifyResponse(async (_event, stream) => {
      runtime.HttpResponseStream.from(stream, { statusCode: 200, headers: {} }).write('1\n');
      stream.destroy();
      throw new Error('the table is away');
    });
    await expect(call().then(text)).rejects.toThrow();
    expect(await outcome).toMatchObject({ message: expect.stringContaining('ends the process') as string });
  });

  it('has the status, headers and lines of the handler', async () => {
    handler = answering(() => ({
      statusCode: 200,
      headers: { 'Content-Type': 'application/x-json-stream' },
      multiValueHeaders: { 'X-Many': ['1', '2'] },
      cookies: ['a=1', 'b=2'],
      body: Readable.from(['1\n', '2\n']),
    }));

    const response = await call();

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/x-json-stream',
      'x-many': '1, 2',
      'set-cookie': ['a=1', 'b=2'],
      'transfer-encoding': 'chunked',
    });
    expect(await text(response)).toBe('1\n2\n');
    expect(await outcome).toBeUndefined();
  });

  it('sends its head before the first line', async () => {
    const lines = new Readable({ read() {} });
    handler = answering(() => ({ statusCode: 200, headers: {}, body: lines }));

    const response = await call();
    lines.push('late');
    lines.push(null);

    expect(await text(response)).toBe('late');
  });

  it('is as slow as its reader', async () => {
    let produced = 0;
    const endless = async function* () {
      for (;;) {
        produced += 1;
        yield 'x'.repeat(64 * 1024);
        await sleep(0);
      }
    };
    handler = answering(() => ({ statusCode: 200, headers: {}, body: Readable.from(endless()) }));

    const response = await call();
    response.pause();
    // The buffers on the way are still filled.
    let before = -1;
    for (let look = 0; look < 20 && produced !== before; look += 1) {
      before = produced;
      await sleep(200);
    }

    expect(produced).toBe(before);
    response.destroy();
    await outcome;
  });

  it('ends its generator when the client disconnects', async () => {
    let ended = false;
    const lines = async function* () {
      try {
        for (;;) {
          yield 'line\n';
          await sleep(5);
        }
      } finally {
        ended = true;
      }
    };
    handler = answering(() => ({ statusCode: 200, headers: {}, body: Readable.from(lines()) }));

    const response = await call();
    response.destroy();

    expect(await outcome).toBeUndefined();
    await expect.poll(() => ended).toBe(true);
  });
});

describe('a failure', () => {
  it('before the status is a 502 of the gateway', async () => {
    handler = answering(() => {
      throw new Error('too early');
    });

    const response = await call();

    expect(response.statusCode).toBe(502);
    expect(await text(response)).toBe('{"message":"Internal server error"}');
    expect(await outcome).toBeInstanceOf(Error);
  });

  const failingAfter = (lines: string[]) =>
    answering(() => ({
      statusCode: 200,
      headers: {},
      body: Readable.from(
        (async function* () {
          yield* lines;
          await sleep(20);
          throw new Error('too late');
        })(),
      ),
    }));

  it('after the first line breaks the connection', async () => {
    handler = failingAfter(['1\n', '2\n']);

    const response = await call();

    await expect(text(response)).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    expect(await outcome).toHaveProperty('message', 'too late');
  });

  it('between status and first line breaks it too', async () => {
    handler = failingAfter([]);

    await expect(call().then(text)).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
  });

  it('resets the connection of a client without chunked encoding, which would take the end for a complete body', async () => {
    handler = failingAfter(['1\n']);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');

    await expect(text(socket)).rejects.toThrow('ECONNRESET');
  });

  it.each([
    { case: 'returned without an end', run: async () => {} },
    { case: 'wrote a body without a status', run: async (_event: unknown, stream: Writable) => void stream.write('x') },
  ])('is assumed of a function that $case', async ({ run }) => {
    handler = runtime.streamifyResponse(run);

    expect((await call()).statusCode).toBe(502);
  });
});

describe('an answer without a stream', () => {
  it.each([
    { case: 'empty', method: 'GET', status: 200, body: '', expected: { 'content-length': '0' } },
    { case: 'redirect', method: 'GET', status: 303, body: '', expected: { 'content-length': '0' } },
    { case: 'HEAD', method: 'HEAD', status: 200, body: 'text', expected: {} },
  ])('$case', async ({ method, status, body, expected }) => {
    handler = answering(() => ({ statusCode: status, headers: {}, body }));

    const response = await call(method);

    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject(expected);
    expect(await text(response)).toBe('');
  });

  it.each([204, 304])('%i has neither a body nor a length', async (status) => {
    handler = answering(() => ({ statusCode: status, headers: {}, body: '' }));

    const response = await call();

    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.headers).not.toHaveProperty('transfer-encoding');
  });

  it('is accepted from a function that does not stream', async () => {
    handler = async () => ({ statusCode: 201, body: Buffer.from('öäü').toString('base64'), isBase64Encoded: true });

    const response = await call();

    expect(response.statusCode).toBe(201);
    expect(await text(response)).toBe('öäü');
  });
});
