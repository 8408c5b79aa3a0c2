import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { group } from '../../lib/contract/route.ts';
import { listen, type Listener } from '../../local/engine/src/listen.ts';
import { createGateway } from '../../local/gateway.ts';
import type { Handler } from '../../local/lambda-runtime.ts';
import { runHere } from '../../local/run-function.ts';

/** Answers with the event that it received. */
const echo: Handler = async (event: APIGatewayProxyEvent, context: unknown) => ({
  statusCode: 200,
  body: JSON.stringify({ event, remaining: (context as Context).getRemainingTimeInMillis() }),
});

const failing: Handler = async () => {
  throw new Error('broken on purpose');
};

let server: Listener;
const reports: string[] = [];

beforeAll(async () => {
  const groups = [
    group('dids', ['/dids', '/alias'], {}),
    group('broken', ['/broken'], {}),
    group('absent', ['/absent'], {}),
  ];
  const gateway = createGateway({
    groups,
    run: runHere(async (name) => {
      if (name === 'absent') throw new Error('no such module');
      return name === 'broken' ? failing : echo;
    }),
    report: (message) => reports.push(message),
  });
  server = await listen(0, gateway);
});

afterAll(async () => server.close(0));

interface Call {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

async function call(path: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<IncomingMessage> {
  const request = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function eventOf(path: string, options?: Call): Promise<APIGatewayProxyEvent> {
  return ((await json(await call(path, options))) as { event: APIGatewayProxyEvent }).event;
}

describe('path', () => {
  it.each([
    '/dids/a%2Fb/c%20d+e',
    '/dids//double///slash/',
    '/dids/%E2%82%AC%zz',
    '/dids',
    '/dids/',
    '/alias/../dids/./x',
  ])('is passed unchanged: %s', async (path) => {
    const event = await eventOf(`${path}?x=1`);

    expect(event.path).toBe(path);
    expect(event.requestContext.path).toBe(`/local${path}`);
  });

  it('names the greedy resource of the group, as the deployed gateway does', async () => {
    expect(await eventOf('/dids/s/a%2Fb')).toMatchObject({
      resource: '/dids/{proxy+}',
      pathParameters: { proxy: 's/a%2Fb' },
    });
    expect(await eventOf('/dids')).toMatchObject({ resource: '/dids', pathParameters: null });
  });

  it('is answered like any unknown path if no group has it', async () => {
    const response = await call('/didsx/a');

    expect(response.statusCode).toBe(404);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      exceptionclass: 'NotFound',
    });
    expect(await json(response)).toHaveProperty('ExceptionClass', 'NotFound');
  });
});

describe('query', () => {
  it('is decoded; the last of repeated keys wins in the single-valued map', async () => {
    const event = await eventOf('/dids?a=1&b=x%2Fy+z%26&a=2&empty=&bare&a=3');

    expect(event.queryStringParameters).toEqual({ a: '3', b: 'x/y z&', empty: '', bare: '' });
    expect(event.multiValueQueryStringParameters).toEqual({
      a: ['1', '2', '3'],
      b: ['x/y z&'],
      empty: [''],
      bare: [''],
    });
  });

  it('is null if absent', async () => {
    expect(await eventOf('/dids')).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    });
  });
});

describe('headers', () => {
  it('keep their case, and repeated ones are grouped', async () => {
    const event = await eventOf('/dids', { headers: { 'X-Rucio-Account': 'root', 'X-Many': ['1', '2'] } });

    expect(event.headers).toMatchObject({ 'X-Rucio-Account': 'root', 'X-Many': '2', 'X-Forwarded-Proto': 'http' });
    expect(event.multiValueHeaders).toMatchObject({ 'X-Many': ['1', '2'] });
    expect(event.requestContext.identity.sourceIp).toBe('127.0.0.1');
  });
});

describe('body', () => {
  it.each([
    { case: 'text', body: '{"é":1}', headers: {}, expected: { body: '{"é":1}', isBase64Encoded: false } },
    {
      case: 'bytes that are not UTF-8',
      body: Buffer.from([0xff, 0xfe]),
      headers: {},
      expected: { body: '//4=', isBase64Encoded: true },
    },
    {
      case: 'compressed bytes, even when they look like text',
      body: 'abc',
      headers: { 'content-encoding': 'gzip' },
      expected: { body: 'YWJj', isBase64Encoded: true },
    },
    { case: 'none', body: '', headers: {}, expected: { body: null, isBase64Encoded: false } },
  ])('$case', async ({ body, headers, expected }) => {
    expect(await eventOf('/dids', { method: 'POST', body, headers })).toMatchObject(expected);
  });

  it('may have nearly 6 MB, including the rest of the event', async () => {
    const event = await eventOf('/dids', { method: 'POST', body: 'x'.repeat(6 * 1024 * 1024 - 10_000) });

    expect(event.body).toHaveLength(6 * 1024 * 1024 - 10_000);
  });

  it.each(['x'.repeat(6 * 1024 * 1024), '"'.repeat(3.5 * 1024 * 1024)])(
    'over 6 MB as text in an event is refused as the gateway refuses it: %#',
    async (body) => {
      const response = await call('/dids', { method: 'POST', body });

      expect(response.statusCode).toBe(413);
      expect(await json(response)).toMatchObject({ ExceptionClass: 'PayloadTooLarge' });
    },
  );

  it.each([
    { case: 'announced', headers: { 'content-length': String(11 * 1024 * 1024) } },
    { case: 'unannounced', headers: { 'transfer-encoding': 'chunked' } },
  ])('over 10 MB is refused, and the sender reads the answer: $case', async ({ headers }) => {
    const response = await call('/dids', { method: 'POST', headers, body: Buffer.alloc(11 * 1024 * 1024, 'x') });

    expect(response.statusCode).toBe(413);
    expect(await json(response)).toEqual({ message: 'Request Too Long' });
  });
});

describe('failure', () => {
  it.each(['/broken', '/absent'])('of a function is a 502 and a report: %s', async (path) => {
    reports.length = 0;

    const response = await call(path);

    expect(response.statusCode).toBe(502);
    expect(await json(response)).toEqual({ message: 'Internal server error' });
    expect(reports).toHaveLength(1);
  });
});

it('limits a buffered answer to 29 seconds', async () => {
  const { remaining } = (await json(await call('/dids'))) as { remaining: number };

  expect(remaining).toBeGreaterThan(28_000);
  expect(remaining).toBeLessThanOrEqual(29_000);
});

it('keeps the connection for the next request', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    'GET /dids HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );

  expect((await text(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
});
