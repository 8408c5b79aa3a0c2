import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { serveEngine } from '../src/endpoint.ts';
import { Engine } from '../src/engine.ts';
import type { Listener } from '../src/listen.ts';

const engine = new Engine();
let listener: Listener;

beforeAll(async () => {
  listener = await serveEngine(engine, 0);
});
afterAll(async () => {
  await listener.close(0);
  engine.close();
});

const signed = {
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': 'DynamoDB_20120810.ListTables',
  'X-Amz-Date': '20260101T000000Z',
  Authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=b',
};

const send = (headers: Readonly<Record<string, string>>, body: string | Uint8Array<ArrayBuffer> = '{}', path = '/') =>
  fetch(`http://127.0.0.1:${listener.port}${path}`, { method: 'POST', headers, body });

async function typeOf(response: Response): Promise<string> {
  return String(((await response.json()) as { __type: unknown }).__type).replace('com.amazon.coral.service#', '');
}

describe('the endpoint of the engine', () => {
  it('answers a request in its content type', async () => {
    for (const type of ['application/json', 'application/x-amz-json-1.0']) {
      const response = await send({ ...signed, 'Content-Type': `${type}; charset=utf-8` });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
      expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9A-V]{52}$/);
      expect(await response.json()).toEqual({ TableNames: [] });
    }
  });

  it('answers 404 to a request outside the protocol', async () => {
    const response = await send({ ...signed, 'Content-Type': 'text/plain' });
    expect([response.status, await response.text()]).toEqual([404, '<UnknownOperationException/>\n']);
  });

  it('answers 404 to another path', async () => {
    expect((await send(signed, '{}', '/garbage')).status).toBe(404);
    const health = async (path: string) => (await fetch(`http://127.0.0.1:${listener.port}${path}`)).status;
    expect([await health('/garbage'), await health('/')]).toEqual([404, 200]);
  });

  it('answers 400 to headers and to a path of more than 16 KB', async () => {
    const half = 'x'.repeat(8_192);
    expect((await send({ ...signed, One: half, Other: half })).status).toBe(400);
    expect((await send(signed, '{}', `/${half}${half}`)).status).toBe(400);
  });

  it('refuses in the order of AWS: the JSON, the operation, the signature', async () => {
    const { Authorization: _, ...unsigned } = signed;
    const nameless = { ...unsigned, 'X-Amz-Target': 'DynamoDB_20120810.ListTable' };
    expect(await typeOf(await send(nameless, 'hi'))).toBe('SerializationException');
    expect(await typeOf(await send(nameless))).toBe('UnknownOperationException');
    expect(await typeOf(await send(unsigned))).toBe('MissingAuthenticationTokenException');
    expect(await typeOf(await send({ ...unsigned, Authorization: 'AWS4-' }))).toBe('IncompleteSignatureException');
    expect(await typeOf(await send(unsigned, '{}', '/?X-Amz-Algorithm'))).toBe('IncompleteSignatureException');
    expect(await typeOf(await send(signed, '{}', '/?X-Amz-Algorithm'))).toBe('InvalidSignatureException');
  });

  it('accepts a signature in the query', async () => {
    const { Authorization: _, ...unsigned } = signed;
    const query = ['Algorithm', 'Credential', 'Signature', 'SignedHeaders', 'Date'].map((name) => `X-Amz-${name}=a`);
    expect((await send(unsigned, '{}', `/?${query.join('&')}`)).status).toBe(200);
  });

  it('accepts a compressed body, and fails on one that does not match its encoding', async () => {
    const headers = { ...signed, 'Content-Encoding': 'gzip' };
    expect((await send(headers, gzipSync('{}'))).status).toBe(200);
    expect((await send(headers, '{}')).status).toBe(500);
    expect((await send({ ...signed, 'Content-Encoding': 'other' }, '{}')).status).toBe(500);
  });

  it('accepts bodies of 16 MiB', async () => {
    const body = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
    expect((await send(signed, body(2 ** 24))).status).toBe(200);
    expect((await send(signed, body(2 ** 24 + 1))).status).toBe(413);
  });

  it.each([
    ['of this machine ask', 'http://localhost:3000', '*'],
    ['of others not', 'http://example.com', null],
    ['whose names only begin alike not', 'http://localhost.example.com', null],
  ])('lets pages %s', async (_which, Origin, allowed) => {
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Headers': 'x-amz-target' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
    expect(response.headers.get('access-control-allow-headers')).toBe(allowed === null ? null : 'x-amz-target');
  });
});
