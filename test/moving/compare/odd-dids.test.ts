import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, expect, it } from 'vitest';

import { compareServers } from '../../../moving/compare/compare.ts';
import { Report } from '../../../moving/compare/report.ts';
import { openSession, type Session } from '../../../moving/compare/session.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A file with a replica on DISK. */
interface File {
  readonly name: string;
  readonly suppressed?: boolean;
  readonly availability?: string;
}

const bytesOf = (files: readonly File[]) => files.length * 42;

/** A server with the scope `beam`; it lists all files but suppressed ones, and answers requests for any. */
async function startServer(files: readonly File[], used = bytesOf(files)): Promise<Session> {
  const rows = files.map(({ name, suppressed = false, availability = 'AVAILABLE' }) => ({
    scope: 'beam',
    name,
    suppressed,
    availability,
  }));
  const answers: Readonly<Record<string, (asked: readonly string[]) => readonly object[]>> = {
    '/auth/userpass': () => [],
    '/scopes/owner/': () => [{ scope: 'beam', account: 'root' }],
    '/rses/': () => [{ id: '1', rse: 'DISK' }],
    '/rses/DISK/protocols': () => [{ scheme: 'root' }],
    '/rses/DISK/usage': () => [{ rse: 'DISK', source: 'rucio', files: files.length, used, total: used }],
    '/dids/beam/dids/search': () =>
      rows.filter(({ suppressed }) => !suppressed).map(({ name }) => ({ name, did_type: 'FILE' })),
    '/dids/bulkmeta': (asked) => rows.filter(({ name }) => asked.includes(name)),
    '/replicas/list': (asked) =>
      files
        .filter(({ name }) => asked.includes(name))
        .map(({ name }) => ({ scope: 'beam', name, bytes: 42, states: { DISK: 'AVAILABLE' }, rses: { DISK: [name] } })),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const { dids = [] } = JSON.parse((await text(request)) || '{}') as { readonly dids?: readonly File[] };
    const found = answers[pathname]?.(dids.map(({ name }) => name)) ?? [];
    response.setHeader('X-Rucio-Auth-Token', 'token');
    response.end(found.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };
  const server = createServer((request, response) => void answer(request, response));
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

interface Summary {
  readonly summary: Readonly<Record<string, object>>;
  readonly decided: Readonly<Record<string, number>>;
}

/** Compares DIDs, replicas and the usage of RSEs. */
async function compare(left: Session, right: Session) {
  const lines: string[] = [];
  const report = new Report({ json: true, decided: false, write: (line) => lines.push(line) });
  const only = ['rse-usage', 'dids', 'replicas'];
  const what = { only, scopes: [], isChosen: () => true, parallel: 2, onProgress: () => undefined };
  await compareServers({ left, right, ...what }, report);
  const code = report.end();
  return { code, lines: lines.slice(0, -1), ...(JSON.parse(lines.at(-1) ?? '{}') as Summary) };
}

const plain = [{ name: 'a' }, { name: 'b' }];

it('compares DIDs that one server suppresses in its list like all others', async () => {
  const left = await startServer([...plain, { name: 'c', suppressed: true }, { name: 'd', suppressed: true }]);
  const right = await startServer([...plain, { name: 'c' }, { name: 'd', availability: 'LOST' }]);
  const { code, lines, summary, decided } = await compare(left, right);
  expect(lines).toEqual([expect.stringContaining('"field":"availability","left":"AVAILABLE","right":"LOST"')]);
  expect(summary).toMatchObject({ dids: { compared: 4, equal: 2, decided: 1, different: 1 }, replicas: { equal: 4 } });
  expect(decided).toEqual({ suppressed: 2 });
  expect(code).toBe(1);
});

it('finds a DID that one server has lost, though it would find a suppressed one', async () => {
  const left = await startServer([...plain, { name: 'c' }]);
  const { summary, code } = await compare(left, await startServer(plain));
  expect(summary).toMatchObject({ dids: { left: 1, equal: 2 }, replicas: { left: 1 }, 'rse-usage': { different: 1 } });
  expect(code).toBe(1);
});

it('decides on names that Dapple refuses, with their replicas and what these count in the usage of the RSE', async () => {
  const left = await startServer([...plain, { name: 'a block#1' }, { name: 'ünï' }]);
  const { code, lines, summary, decided } = await compare(left, await startServer(plain));
  expect(lines).toEqual([]);
  expect(summary).toMatchObject({
    dids: { equal: 2, decided: 2 },
    replicas: { equal: 2, decided: 2 },
    'rse-usage': { decided: 1 },
  });
  expect(decided).toEqual({ 'refused-names': 7 });
  expect(code).toBe(0);
});

it('lets no other difference in the usage pass with refused names', async () => {
  const left = await startServer([...plain, { name: 'a block#1' }], 43);
  const { code, lines } = await compare(left, await startServer(plain, 2));
  expect(lines).toEqual([expect.stringContaining('{"field":"files","left":3,"right":2,"decision":"refused-names"}')]);
  expect(code).toBe(1);
});
