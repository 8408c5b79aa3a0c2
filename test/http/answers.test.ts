import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { describeEdge } from './edge.ts';

describeEdge((send, mode) => {
  it('writes JSON with exact integers and ASCII only, without a charset (dids 1.4, 1.5)', async () => {
    const answer = await send('GET', '/test/json/a');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['Content-Type']).toBe('application/json');
    expect(answer.body).toBe(
      String.raw`{"value": "a", "flag": false, "loose": false, "big": 1152921504606846976, "text": "\u00e9"}`,
    );
  });

  it('writes a stream line by line, and nothing for no rows (dids 1.4)', async () => {
    const answer = await send('GET', '/test/lines/3');
    expect(answer.headers['Content-Type']).toBe('application/x-json-stream');
    expect(answer.body).toBe('{"n": 0}\n{"n": 1}\n{"n": 2}\n');
    expect(await send('GET', '/test/lines/0')).toMatchObject({ statusCode: 200, body: '' });
    expect((await send('GET', '/test/lines/20000')).body.split('\n')).toHaveLength(20_001);
  });

  it('compresses a stream for clients that accept gzip, where answers are streamed', async () => {
    for (const [coding, zipped] of [
      ['gzip, deflate', true],
      ['br;q=1, GZIP;q=0.05', true],
      ['gzip;q=0', false],
      ['gzip; q=0.000', false],
      ['identity', false],
    ] as const) {
      const answer = await send('GET', '/test/lines/1000', { headers: { 'Accept-Encoding': coding } });
      const expected = zipped && mode === 'streamed';
      expect(answer.headers['Content-Encoding']).toBe(expected ? 'gzip' : undefined);
      expect(answer.headers['Vary']).toBe(mode === 'streamed' ? 'Accept-Encoding' : undefined);
      expect(answer.body.endsWith('{"n": 999}\n')).toBe(true);
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

  it('a message cannot smuggle a header, and is Latin-1', async () => {
    expect((await send('GET', '/test/json/wide')).headers['ExceptionMessage']).toBe('tränen ??  Set-Cookie: a=b');
  });

  it('the status is that of the route, if it declares one', async () => {
    expect((await send('GET', '/test/json/mapped')).statusCode).toBe(418);
  });

  it('an unexpected error is a 500 without internal details', async () => {
    const { statusCode, headers, body } = await send('GET', '/test/json/crash');
    expect(statusCode).toBe(500);
    expect(headers['ExceptionClass']).toBe('RucioException');
    expect(body).not.toContain('secret');
  });

  it('HEAD answers like GET, without the body', async () => {
    expect(await send('HEAD', '/test/json/a')).toMatchObject({ statusCode: 200, body: '' });
    const stream = await send('HEAD', '/test/lines/1000000');
    expect(stream).toMatchObject({ body: '', headers: { 'Content-Type': 'application/x-json-stream' } });
  });

  it('caches must not store answers', async () => {
    expect((await send('GET', '/test/json/a')).headers['Cache-Control']).toBe('no-store');
  });
});

describe('a client that disconnects', () => {
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
