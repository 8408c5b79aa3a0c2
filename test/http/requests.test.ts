import { expect, it } from 'vitest';

import { issueToken } from '../../lib/domain/tokens/token.ts';
import type { EventOptions } from '../support/event.ts';
import { anyOrigin } from '../support/tokens.ts';
import { describeEdge } from './edge.ts';

describeEdge((send, mode) => {
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

  it('reads a body whatever its Content-Type, base64 or not (dids 1.1)', async () => {
    const body = '{"text":"here"}';
    for (const options of [{ body }, { body, base64: true }, { body, headers: { 'Content-Type': 'image/png' } }]) {
      const answer = await send('POST', '/test/body', options);
      expect(answer).toMatchObject({ statusCode: 201, body: 'Created', headers: { Location: 'here' } });
    }
  });

  it('an unknown path is 404, a wrong method 405 with Allow, both before the token is checked (dids 1.1, 1.6)', async () => {
    expect(await send('GET', '/test/nothing')).toMatchObject({
      statusCode: 404,
      headers: { ExceptionClass: 'NotFound' },
    });
    const { statusCode, headers } = await send('PUT', '/test/json/a');
    expect([statusCode, headers['Allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await send('GET', '/test/locked')).statusCode).toBe(405);
  });

  it('serves a path with slashes too many, and with and without a final one (dids 1.6)', async () => {
    for (const path of ['/test/json/a/', '//test/json/a', '///test//json///a//', '/%2Ftest%2fjson/a', '/%74est/json/a'])
      expect((await send('GET', path)).statusCode, path).toBe(200);
  });

  it('redirects to the path of another function that only begins with slashes too many, with its query', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await send(method, '//else//where/a%2Fb', { query: { a: ['1', '2&'], b: [''] } });
      expect(answer).toMatchObject({ statusCode: 308, headers: { Location: '/else//where/a%2Fb?a=1&a=2%26&b=' } });
    }
    expect((await send('GET', '/%65lse')).headers).toMatchObject({ Location: '/else' });
  });

  it('redirects to no other host', async () => {
    for (const path of ['//\\host', '//%5Chost', '/else', '//', '//\thost', '//user@host', '//host:80'])
      expect((await send('GET', path)).statusCode, path).toBe(404);
  });

  it('a missing and an invalid token are 401, with the reason of the interface document (interface 5)', async () => {
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
    const { token } = await issueToken({ account: 'root', identity: 'x', origin: anyOrigin }, Date.now());
    const [head, , signature] = token.split('.');
    const forged = `${head}.${Buffer.from('{"sub":"root","aud":"rucio","exp":9999999999}').toString('base64url')}.${signature}`;
    const { token: expired } = await issueToken(
      { account: 'root', identity: 'x', origin: anyOrigin },
      Date.now() - 7_200_000,
    );
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

  it('refuses an Accept header that allows none of its media types (dids 1.8)', async () => {
    const answer = await send('GET', '/test/json/a', { headers: { Accept: 'application/x-json-stream' } });
    expect(answer.statusCode).toBe(406);
    expect(answer.body).toContain(
      "The requested content type application/x-json-stream is not supported. Use ['application/json'].",
    );
  });

  it('allows browsers of the configured origins only (dids 1.3)', async () => {
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

  it('tells browsers what they may send and read, and caches what an answer depends on (dids 1.3)', async () => {
    const headers = { Origin: 'https://ui.example.org' };
    expect((await send('OPTIONS', '/test/json/a', { headers })).headers).toEqual({
      'Access-Control-Allow-Origin': headers.Origin,
      'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
      'Access-Control-Allow-Credentials': 'true',
    });
    const answer = await send('GET', '/test/lines/1', { headers });
    expect(answer.headers).toMatchObject({
      'Access-Control-Allow-Methods': '*',
      'Access-Control-Allow-Credentials': 'true',
      Vary: mode === 'streamed' ? 'Accept-Encoding, Origin' : 'Origin',
    });
    expect(answer.headers['Access-Control-Expose-Headers']?.split(', ')).toEqual(
      expect.arrayContaining(['X-Rucio-Auth-Token', 'Link', 'ETag', 'Retry-After']),
    );
    expect(answer.headers).not.toHaveProperty('Access-Control-Allow-Headers');
  });
});
