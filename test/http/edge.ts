import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import * as z from 'zod/mini';

import { group } from '../../lib/contract/route.ts';
import { looseFlag, presenceFlag } from '../../lib/contract/schemas/common.ts';
import { fail, RucioError } from '../../lib/errors.ts';
import type { Operations } from '../../lib/http/operation.ts';
import { type EventOptions, gatewayEvent, lambdaContext } from '../support/event.ts';

/** A route for each property of the wire. */
const contract = group('test', ['/test'], {
  json: {
    method: 'GET',
    path: '/test/json/:value',
    summary: 'json',
    permission: 'open',
    accept: 'application/json',
    query: z.object({ flag: presenceFlag, loose: looseFlag('loose') }),
    answer: { kind: 'json', schema: z.unknown() },
    errors: { AccountNotFound: 418 },
  },
  lines: {
    method: 'GET',
    path: '/test/lines/:count',
    summary: 'lines',
    permission: 'open',
    accept: 'application/x-json-stream',
    answer: { kind: 'stream', schema: z.unknown() },
  },
  body: {
    method: 'POST',
    path: '/test/body',
    summary: 'body',
    permission: 'open',
    body: { schema: z.object({ text: z.string() }), json: 'dictionary', name: 'test' },
    answer: { kind: 'created' },
  },
  locked: { method: 'DELETE', path: '/test/locked', summary: 'locked', permission: 'any', answer: { kind: 'empty' } },
  did: {
    method: 'GET',
    path: '/test/did/**:scope_name/tail',
    summary: 'did',
    permission: 'open',
    answer: { kind: 'json', schema: z.unknown() },
  },
});

async function* count(to: number): AsyncGenerator<{ n: number }> {
  if (Number.isNaN(to)) fail('AccountNotFound', 'nothing to count to');
  for (let n = 0; n < Math.abs(to); n += 1) yield await Promise.resolve({ n });
  if (to < 0) fail('AccountNotFound', 'the end');
}

const operations: Operations<typeof contract.routes> = {
  json: (_context, { params, query }) => {
    if (params.value === 'crash') throw new Error('a secret of the inside');
    if (params.value === 'long') throw new RucioError('ValueError', `${'x'.repeat(130)}\nsecond line`);
    if (params.value === 'wide') throw new RucioError('ValueError', 'tränen 日本\r\nSet-Cookie: a=b');
    if (params.value === 'mapped') throw new RucioError('AccountNotFound', 'mapped');
    return { ...params, ...query, big: 2n ** 60n, text: 'é' };
  },
  lines: (_context, { params }) => count(Number(params.count)),
  body: { run: () => Promise.resolve(), present: (_decided, { body }) => ({ location: body.text }) },
  locked: () => Promise.resolve(),
  did: (_context, { params }) => params.did,
};

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends a request to the handler. */
type Send = (method: string, path: string, options?: EventOptions) => Promise<Answer>;

/** The handler as Lambda calls it in buffered mode. */
async function buffered(): Promise<Send> {
  vi.stubEnv('RESPONSE_MODE', 'buffer');
  const { createHandler } = await import('../../lib/http/handler.ts');
  const handler = createHandler(contract, operations) as unknown as (
    e: APIGatewayProxyEvent,
    c: Context,
  ) => Promise<Answer>;
  return (method, path, options) => handler(gatewayEvent(method, path, options), lambdaContext());
}

/** The handler as Lambda calls it in streaming mode. */
async function streamed(): Promise<Send> {
  vi.stubEnv('RESPONSE_MODE', 'stream');
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from: (stream: PassThrough, metadata: object) => Object.assign(stream, { metadata }),
    },
  });
  const { createHandler } = await import('../../lib/http/handler.ts');
  const handler = createHandler(contract, operations) as unknown as (
    e: APIGatewayProxyEvent,
    stream: PassThrough,
    c: Context,
  ) => Promise<void>;
  return async (method, path, options) => {
    const stream = new PassThrough();
    const body = buffer(stream);
    body.catch(() => undefined);
    await handler(gatewayEvent(method, path, options), stream, lambdaContext());
    const { metadata } = stream as unknown as { metadata: Omit<Answer, 'body'> };
    const bytes = await body;
    return {
      ...metadata,
      body: (metadata.headers['Content-Encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
    };
  };
}

/** Declares tests of the handler, once for each response mode. */
export function describeEdge(tests: (send: Send, mode: 'buffered' | 'streamed') => void): void {
  describe.each([
    ['buffered', buffered],
    ['streamed', streamed],
  ] as const)('the edge, %s', (mode, open) => {
    let handler: Send;
    beforeAll(async () => {
      setSurroundings();
      handler = await open();
    });
    afterAll(() => {
      vi.unstubAllEnvs();
      vi.unstubAllGlobals();
    });
    tests((...request) => handler(...request), mode);
  });
}

/** Sets the environment of a function. */
function setSurroundings(): void {
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  vi.stubEnv('TOKEN_KEY', 'k'.repeat(40));
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('CORS_ORIGINS', 'https://ui.example.org');
}
