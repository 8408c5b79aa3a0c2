import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, it } from 'vitest';

import { compareServers } from '../../../moving/compare/compare.ts';
import { Report } from '../../../moving/compare/report.ts';
import { openSession, type Session } from '../../../moving/compare/session.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A fault takes an answer over; it returns false to let it pass. */
type Fault = (response: ServerResponse, text: string) => boolean;

/** A server with one dataset of two files; the first answers to its list of DIDs meet the faults. */
async function startFaulty(faults: readonly Fault[]): Promise<{ session: Session; lists: () => number }> {
  const list = '{"name": "set", "did_type": "DATASET"}\n{"name": "other", "did_type": "DATASET"}\n';
  let lists = 0;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    if (path === '/auth/userpass') response.setHeader('X-Rucio-Auth-Token', 'token').end();
    else if (path === '/dids/beam/dids/search') {
      const fault = faults[lists];
      lists += 1;
      if (fault?.(response, list) !== true) response.end(list);
    } else response.end('{"scope": "beam", "name": "file", "bytes": 1}\n');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = openSession({ url, credentials: { username: 'u', password: 'p', account: 'root' } });
  return { session, lists: () => lists };
}

/** Compares the content of the scope; returns the exit code and how much was compared. */
async function compare(left: Session, right: Session): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const report = new Report({ json: true, decided: false, write: (line) => lines.push(line) });
  const what = { only: ['contents'], scopes: ['beam'], isChosen: () => true, parallel: 2, onProgress: () => undefined };
  await compareServers({ left, right, ...what }, report);
  return { code: report.end(), lines };
}

const overload: Fault = (response) => {
  response.writeHead(503, { 'Retry-After': '0' }).end('too many');
  return true;
};

const breakOff: Fault = (response, text) => {
  response.writeHead(200);
  response.write(text.slice(0, text.indexOf('\n') + 1), () => response.destroy());
  return true;
};

it('takes no list for complete that was refused or broke off, and begins it anew', async () => {
  const right = await startFaulty([]);
  for (const faults of [[overload], [breakOff], [breakOff, breakOff]]) {
    const left = await startFaulty(faults);
    expect(await compare(left.session, right.session)).toMatchObject({
      code: 0,
      lines: [expect.stringContaining('"contents":{"compared":2,"equal":2,')],
    });
    expect(left.lists()).toBe(faults.length + 1);
  }
});

it('gives up where a list never ends, rather than to compare a part of it', async () => {
  const [left, right] = await Promise.all([startFaulty([breakOff, breakOff, breakOff]), startFaulty([])]);
  await expect(compare(left.session, right.session)).rejects.toThrow('the answer broke off');
});
