import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

import { group } from '../../lib/contract/route.ts';
import { looseFlag, presenceFlag } from '../../lib/contract/schemas/common.ts';
import { issueToken } from '../../lib/domain/tokens/token.ts';
import { fail, RucioError } from '../../lib/errors.ts';
import type { Operations } from '../../lib/http/handler.ts';
import { type EventOptions, gatewayEvent, lambdaContext } from '../support/event.ts';

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
  body: (_context, { body }) => Promise.resolve({ location: body.text }),
  locked: () => Promise.resolve(),
  did: (_context, { params }) => params.did,
};

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Send = (method: string, path: string, options?: EventOptions) => Promise<Answer>;

/** The handler as Lambda calls it where answers cannot be streamed. */
async function buffered(): Promise<Send> {
  vi.stubEnv('RESPONSE_MODE', 'buffer');
  const { createHandler } = await import('../../lib/http/handler.ts');
  const handler = createHandler(contract, operations) as unknown as (
    e: APIGatewayProxyEvent,
    c: Context,
  ) => Promise<Answer>;
  return (method, path, options) => handler(gatewayEvent(method, path, options), lambdaContext());
}

/** The handler as Lambda calls it where answers are streamed. */
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

beforeAll(() => {
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  vi.stubEnv('TOKEN_KEY', 'k'.repeat(40));
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('CORS_ORIGINS', 'https://ui.example.org');
});

describe.each([
  ['buffered', buffered],
  ['streamed', streamed],
])('the edge, %s', (mode, open) => {
  let send: Send;
  beforeAll(async () => {
    send = await open();
  });

  it('writes JSON with exact integers and ASCII only, without a charset (dids 1.4, 1.5)', async () => {
    const answer = await send('GET', '/test/json/a');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['Content-Type']).toBe('application/json');
    expect(answer.body).toBe(
      String.raw`{"value":"a","flag":false,"loose":false,"big":1152921504606846976,"text":"\u00e9"}`,
    );
  });

  it('decodes a segment once, and only after splitting (dids 1.6)', async () => {
    const value = async (segment: string) =>
      (JSON.parse((await send('GET', `/test/json/${segment}`)).body) as { value: string }).value;
    expect(await value('a%2Fb')).toBe('a/b');
    expect(await value('a%252Fb')).toBe('a%2Fb');
    expect(await value('a+b')).toBe('a+b');
  });

  it('splits a DID at its first slash, escaped or not, and keeps the others (dids 1.6)', async () => {
    const did = async (path: string) => JSON.parse((await send('GET', `/test/did/${path}/tail`)).body) as unknown;
    for (const path of ['s/a/b', 's/a%2Fb', 's%2Fa%2Fb', 's%2fa/b'])
      expect(await did(path)).toEqual({ scope: 's', name: 'a/b' });
    expect(await did('s/a/tail/b')).toEqual({ scope: 's', name: 'a/tail/b' });
  });

  it('reads the first of repeated query keys, and flags as Rucio does (dids 1.7)', async () => {
    const flags = async (query: NonNullable<EventOptions['query']>) =>
      JSON.parse((await send('GET', '/test/json/a', { query })).body) as { flag: boolean; loose: boolean };
    expect(await flags({ flag: ['false'], loose: ['1', 'false'] })).toMatchObject({ flag: true, loose: true });
    expect((await send('GET', '/test/json/a', { query: { loose: ['maybe'] } })).body).toContain(
      "'loose' must be a boolean type.",
    );
  });

  it('writes a stream line by line, and nothing for no rows (dids 1.4)', async () => {
    const answer = await send('GET', '/test/lines/3');
    expect(answer.headers['Content-Type']).toBe('application/x-json-stream');
    expect(answer.body).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
    expect(await send('GET', '/test/lines/0')).toMatchObject({ statusCode: 200, body: '' });
    expect((await send('GET', '/test/lines/20000')).body.split('\n')).toHaveLength(20_001);
  });

  it('compresses a stream for those who take gzip, where answers are streamed', async () => {
    for (const [coding, zipped] of [
      ['gzip, deflate', true],
      ['gzip;q=0', false],
      ['identity', false],
    ] as const) {
      const answer = await send('GET', '/test/lines/1000', { headers: { 'Accept-Encoding': coding } });
      const expected = zipped && mode === 'streamed';
      expect(answer.headers['Content-Encoding']).toBe(expected ? 'gzip' : undefined);
      expect(answer.body.endsWith('{"n":999}\n')).toBe(true);
    }
    expect((await send('GET', '/test/json/a', { headers: { 'Accept-Encoding': 'gzip' } })).headers).not.toHaveProperty(
      'Content-Encoding',
    );
  });

  it('an error before the first line is an ordinary error', async () => {
    expect(await send('GET', '/test/lines/none')).toMatchObject({
      statusCode: 404,
      headers: { ExceptionClass: 'AccountNotFound' },
    });
  });

  it('an error after the first line is never a complete answer (dids 1.9)', async () => {
    const outcome = await send('GET', '/test/lines/-3').catch((error: unknown) => error);
    if (mode === 'buffered') expect(outcome).toMatchObject({ statusCode: 404 });
    else expect(outcome).toBeInstanceOf(Error);
  });

  it('errors carry class and message in body and headers; the header is one line of at most 125 characters (dids 1.9)', async () => {
    const { statusCode, headers, body } = await send('GET', '/test/json/long');
    expect(statusCode).toBe(400);
    expect(headers).toMatchObject({ 'Content-Type': 'application/octet-stream', ExceptionClass: 'ValueError' });
    expect(headers['ExceptionMessage']).toBe(`${'x'.repeat(125)}...`);
    expect(JSON.parse(body)).toEqual({
      ExceptionClass: 'ValueError',
      ExceptionMessage: `${'x'.repeat(130)}\nsecond line`,
    });
  });

  it('a message cannot smuggle a header, nor leave Latin-1', async () => {
    expect((await send('GET', '/test/json/wide')).headers['ExceptionMessage']).toBe('tränen ??  Set-Cookie: a=b');
  });

  it("the status is the route's, where it declares one", async () => {
    expect((await send('GET', '/test/json/mapped')).statusCode).toBe(418);
  });

  it('what was not thrown on purpose is 500 and tells nothing of the inside', async () => {
    const { statusCode, headers, body } = await send('GET', '/test/json/crash');
    expect(statusCode).toBe(500);
    expect(headers['ExceptionClass']).toBe('RucioException');
    expect(body).not.toContain('secret');
  });

  it('reads a body whatever its Content-Type, base64 or not (dids 1.1)', async () => {
    const body = '{"text":"here"}';
    for (const options of [{ body }, { body, base64: true }, { body, headers: { 'Content-Type': 'image/png' } }]) {
      const answer = await send('POST', '/test/body', options);
      expect(answer).toMatchObject({ statusCode: 201, body: 'Created', headers: { Location: 'here' } });
    }
  });

  it('an unknown path is 404, a wrong method 405 with Allow, both before the token is looked at (dids 1.1, 1.6)', async () => {
    expect(await send('GET', '/test/nothing')).toMatchObject({
      statusCode: 404,
      headers: { ExceptionClass: 'NotFound' },
    });
    const { statusCode, headers } = await send('PUT', '/test/json/a');
    expect([statusCode, headers['Allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await send('GET', '/test/locked')).statusCode).toBe(405);
  });

  it('serves a path with and without a final slash', async () => {
    expect((await send('GET', '/test/json/a/')).statusCode).toBe(200);
  });

  it('HEAD answers as GET does, without the body', async () => {
    expect(await send('HEAD', '/test/json/a')).toMatchObject({ statusCode: 200, body: '' });
    const stream = await send('HEAD', '/test/lines/1000000');
    expect(stream).toMatchObject({ body: '', headers: { 'Content-Type': 'application/x-json-stream' } });
  });

  it('no token and a bad one are 401, with the reason of the interface document (design 9)', async () => {
    const rejected = async (token?: string) => {
      const answer = await send(
        'DELETE',
        '/test/locked',
        token === undefined ? {} : { headers: { 'x-rucio-auth-token': token } },
      );
      return [answer.statusCode, JSON.parse(answer.body)] as const;
    };
    const body = (ExceptionMessage: string) => ({
      ExceptionClass: 'CannotAuthenticate',
      ExceptionMessage,
      reason: 'Invalid Auth Token',
    });
    expect(await rejected()).toEqual([401, body('Token must be set.')]);
    expect(await rejected(' ')).toEqual([401, body('Token must be set.')]);
    const { token } = await issueToken({ account: 'root', identity: 'x' }, Date.now());
    const [head, , signature] = token.split('.');
    const forged = `${head}.${Buffer.from('{"sub":"root","aud":"rucio","exp":9999999999}').toString('base64url')}.${signature}`;
    const { token: expired } = await issueToken({ account: 'root', identity: 'x' }, Date.now() - 7_200_000);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    for (const bad of ['bad', 'a.b.c', forged, expired, unsigned, token.slice(0, -3)]) {
      expect(await rejected(bad)).toEqual([401, body('Cannot authenticate with given credentials')]);
    }
  });

  it.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html, application/json;q=0.1',
    'application/json; charset=utf-8',
    '',
  ])('accepts Accept: %s', async (Accept) => {
    expect((await send('GET', '/test/json/a', { headers: { Accept } })).statusCode).toBe(200);
  });

  it('refuses an Accept that covers nothing it has (dids 1.8)', async () => {
    const answer = await send('GET', '/test/json/a', { headers: { Accept: 'application/x-json-stream' } });
    expect(answer.statusCode).toBe(406);
    expect(answer.body).toContain(
      "The requested content type application/x-json-stream is not supported. Use ['application/json'].",
    );
  });

  it('lets browsers in from the configured origins only (dids 1.3)', async () => {
    const origin = 'https://ui.example.org';
    const allowed = await send('OPTIONS', '/test/any/path', {
      headers: { Origin: origin, 'Access-Control-Request-Headers': 'X-Rucio-Auth-Token' },
    });
    expect(allowed).toMatchObject({
      statusCode: 200,
      headers: { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Headers': 'X-Rucio-Auth-Token' },
    });
    expect(
      (await send('OPTIONS', '/test/json/a', { headers: { Origin: 'https://evil.example.org' } })).statusCode,
    ).toBe(403);
    expect(
      (await send('GET', '/test/json/a', { headers: { Origin: origin } })).headers['Access-Control-Allow-Origin'],
    ).toBe(origin);
    expect(
      (await send('GET', '/test/json/crash', { headers: { Origin: origin } })).headers['Access-Control-Allow-Origin'],
    ).toBe(origin);
    expect((await send('GET', '/test/json/a')).headers).not.toHaveProperty('Access-Control-Allow-Origin');
  });

  it('answers are not to be kept by caches', async () => {
    expect((await send('GET', '/test/json/a')).headers['Cache-Control']).toBe('no-store');
  });
});

describe('a reader that goes away', () => {
  it('ends the listing', async () => {
    const { openJsonStream } = await import('../../lib/http/json-stream.ts');
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield await Promise.resolve({ text: 'x'.repeat(100) });
      } finally {
        ended = true;
      }
    }
    const stream = await openJsonStream(endless());
    if (typeof stream === 'string') throw new Error('no stream');
    stream.once('data', () => stream.destroy());
    await once(stream, 'close');
    expect(ended).toBe(true);
  });
});
