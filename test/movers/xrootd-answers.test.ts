import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { followCopy } from '../../lib/movers/webdav/follow-copy.ts';
import { readDigest } from '../../lib/movers/webdav/webdav-client.ts';

interface Exchange {
  readonly request: string;
  readonly answer: Response;
}

/** The answers of a real server, as they were recorded. */
function readExchanges(): Exchange[] {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/xrootd-5.5.3.txt'), 'utf8');
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [request = '', status = '', ...rest] = part.split('\n');
      const end = rest.indexOf('');
      const lines = end === -1 ? rest : rest.slice(0, end);
      const headers = lines.map((line) => line.split(': ') as [string, string]);
      const body = end === -1 ? '' : rest.slice(end + 1).join('\n');
      return { request, answer: new Response(body, { status: Number(status.split(' ')[1]), headers }) };
    });
}

const exchanges = readExchanges();
const never = new AbortController().signal;
const watch = { isRedirected: false, url: 'https://two.example.org/', signal: never, stallMs: 60_000, stop: () => {} };

/** Outcome for Dapple of each copy that the server began. */
const judge = ({ answer }: Exchange) =>
  followCopy(answer, watch).then(
    () => 'success',
    (error: Error) => error.message,
  );

describe('the answers of XRootD', () => {
  it('to copies are understood', async () => {
    const copies = exchanges.filter(({ request, answer }) => request.includes('-X COPY') && answer.ok);
    const found: Record<string, number> = {};
    for (const copy of copies) {
      const verdict = await judge(copy);
      found[verdict] = (found[verdict] ?? 0) + 1;
    }
    expect(found).toEqual({
      success: 5,
      "failure: Couldn't connect to server": 1,
      'failure: Remote side failed with status code 404; error message: "Unable to open /store/none; no such file or directory "': 1,
    });
  });

  it('tell checksums', () => {
    const digests = exchanges
      .map(({ answer }) => readDigest(answer.headers).adler32)
      .filter((sum) => sum !== undefined);
    expect(new Set(digests)).toEqual(new Set(['1efe04d5', 'c73191bc']));
  });

  it('show why copies have temporary names: one that fails leaves an empty file, and a missing folder is refused', () => {
    const [refused] = exchanges;
    expect(refused?.answer.status).toBe(400);
    const failed = exchanges.findIndex(({ request }) => request.includes('Source: https://one.example.org/store/none'));
    const left = exchanges[failed + 1];
    expect([left?.request, left?.answer.status, left?.answer.headers.get('content-length')]).toEqual([
      '-I https://two.example.org/store/x/y/none',
      200,
      '0',
    ]);
  });
});
