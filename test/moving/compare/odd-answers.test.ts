import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { compareServers } from '../../../moving/compare/compare.ts';
import { Report } from '../../../moving/compare/report.ts';
import { openSession, type Session } from '../../../moving/compare/session.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The class of an error (404), or the text of an answer. */
type Wire = { readonly missing: string } | string;

/** Answers of a Rucio whose database tools have filled: infinite limits, and none of many things. */
const odd: Readonly<Record<string, Wire>> = {
  '/accounts/': '{"account": "root"}\n{"account": "empty"}\n',
  '/accounts/root': '{"account": "root", "email": null}',
  '/accounts/empty': '{"account": "empty"}',
  '/accounts/root/limits/local': '{"X_A": Infinity, "X_B": -Infinity}',
  '/accounts/root/limits/global': '{"X_*": {"resolved_rses": ["X_A"], "limit": Infinity}}',
  '/accounts/root/usage/local': '{"rse": "X_A", "bytes": 1, "bytes_limit": Infinity, "bytes_remaining": NaN}\n',
  '/accounts/empty/limits/local': '{}',
  '/accounts/empty/limits/global': '{}',
  '/scopes/owner/': '[{"scope": "beam", "account": "root"}]',
  '/rses/': '{"id": "1", "rse": "DISK"}\n{"id": "2", "rse": "EMPTY"}\n',
  ...Object.fromEntries(
    ['DISK', 'EMPTY'].flatMap((rse) =>
      ['', '/attr/', '/limits', '/qos_policy'].map((what) => [`/rses/${rse}${what}`, '{}']),
    ),
  ),
  '/export/': '{"rses": {}}',
  '/rses/DISK/protocols': '[{"scheme": "root"}]',
  '/rses/EMPTY/protocols': { missing: 'RSEProtocolNotSupported' },
  '/config': { missing: 'ConfigNotFound' },
  '/subscriptions/': { missing: 'SubscriptionNotFound' },
  '/lifetime_exceptions/': { missing: 'LifetimeExceptionNotFound' },
  '/dids/beam/dids/search': '{"name": "file", "did_type": "FILE"}\n',
  '/dids/bulkmeta': '{"scope": "beam", "name": "file", "score": NaN, "text": "NaN, Infinity"}\n',
  '/replicas/list': '{"scope": "beam", "name": "file", "states": {"DISK": "AVAILABLE"}, "rses": {"DISK": ["x"]}}\n',
  '/rules/': '{"id": "12", "scope": "beam", "name": "file", "account": "root"}\n',
  '/rules/12/locks': { missing: 'RuleNotFound' },
};

async function startServer(changes: Readonly<Record<string, Wire>> = {}): Promise<Session> {
  const server = createServer((request, response) => {
    request.resume();
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const answer = { ...odd, ...changes }[pathname] ?? '';
    response.setHeader('X-Rucio-Auth-Token', 'token');
    if (typeof answer === 'string') response.end(answer);
    else response.writeHead(404, { ExceptionClass: answer.missing }).end(`{"ExceptionClass": "${answer.missing}"}`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return openSession({ url, credentials: { username: 'u', password: 'p', account: 'root' } });
}

async function compare(left: Session, right: Session): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const report = new Report({ json: true, decided: false, write: (line) => lines.push(line) });
  const what = { only: [], scopes: [], isChosen: () => true, parallel: 2, onProgress: () => undefined };
  await compareServers({ left, right, ...what }, report);
  return { code: report.end(), lines: lines.slice(0, -1) };
}

describe('a comparison with a Rucio', () => {
  it('reads infinite limits, and what it answers in place of an empty list', async () => {
    expect(await compare(await startServer(), await startServer())).toEqual({ code: 0, lines: [] });
  });

  it('tells an infinite limit from another', async () => {
    const other = await startServer({ '/accounts/root/limits/local': '{"X_A": Infinity, "X_B": 7}' });
    const { code, lines } = await compare(await startServer(), other);
    expect(lines).toEqual([expect.stringContaining('"left":"-Infinity","right":7')]);
    expect(code).toBe(1);
  });

  it('tells none of a thing from one', async () => {
    const { lines } = await compare(
      await startServer(),
      await startServer({ '/config': '{"section": {"option": 1}}' }),
    );
    expect(lines).toEqual([expect.stringContaining('section option')]);
  });

  it.each([
    ['/accounts/root/limits/local', '{"X_A": inf}'],
    ['/scopes/owner/', '[{"scope": '],
    ['/accounts/', '<html>'],
  ])('names the request whose answer cannot be read: %s', async (path, text) => {
    const broken = await startServer({ [path]: text });
    await expect(compare(broken, await startServer())).rejects.toThrow(
      `GET ${broken.url}${path}: the answer cannot be read: `,
    );
  });

  it('ends where what it asks for is missing for another reason, and names the request', async () => {
    const broken = await startServer({ '/rses/DISK/protocols': { missing: 'RSENotFound' } });
    await expect(compare(broken, await startServer())).rejects.toThrow(`GET ${broken.url}/rses/DISK/protocols: 404 `);
  });
});
