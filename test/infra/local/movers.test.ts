import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';

const startTimeoutMs = 60_000;
let folder: string;
const servers: ServerProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dapple-movers-')));
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** A server with its data in the folder, and how to ask it as root. */
async function start(threads: number) {
  const server = await startServerProcess(['--data', folder, '--no-browser', '--threads', String(threads)]);
  servers.push(server);
  const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };
  const token =
    (await fetch(`${server.url}/auth/userpass`, { headers: login })).headers.get('X-Rucio-Auth-Token') ?? '';
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { 'X-Rucio-Auth-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(`${answer.status} ${text}`).toMatch(/^20/);
    return /^[[{"]/.test(text) ? (JSON.parse(text) as unknown) : text;
  };
}
type Ask = Awaited<ReturnType<typeof start>>;

async function addRse(ask: Ask, rse: string, prefix: string): Promise<void> {
  const operations = { read: 1, write: 1, delete: 1 };
  const protocol = { hostname: 'localhost', port: 0, impl: 'rucio.rse.protocols.posix.Default', prefix };
  await ask('POST', `/rses/${rse}`, {});
  await ask('POST', `/rses/${rse}/protocols/file`, { ...protocol, domains: { lan: operations, wan: operations } });
  await ask('POST', `/accounts/root/limits/local/${rse}`, { bytes: -1 });
}

const pathOf = (pfn: string) => pfn.replace('file://localhost', '');

/** Registers a file on an RSE and writes it there, with a content of its own. */
async function upload(ask: Ask, rse: string, name: string, content: string, adler32: string): Promise<void> {
  const lfns = (await ask('GET', `/rses/${rse}/lfns2pfns?lfn=data:${name}&operation=write`)) as Record<string, string>;
  const path = pathOf(lfns[`data:${name}`] ?? '');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const file = { scope: 'data', name, bytes: content.length, adler32 };
  await ask('POST', '/replicas', { rse, files: [file] });
}

const stateOf = async (ask: Ask, rule: string) => ((await ask('GET', `/rules/${rule}`)) as { state: string }).state;

describe('npm start', () => {
  it.each([0, 1])(
    'copies what rules ask for to RSEs with the attribute mover=posix, with %i threads',
    async (threads) => {
      const ask = await start(threads);
      await ask('POST', '/scopes/root/data');
      await addRse(ask, 'ONE', join(folder, 'storage/one'));
      await addRse(ask, 'TWO', join(folder, 'storage/two'));
      await ask('POST', '/rses/TWO/attr/mover', { value: 'posix' });
      await upload(ask, 'ONE', 'good', 'hello', '062c0215');
      const dids = (name: string) => ({
        dids: [{ scope: 'data', name }],
        account: 'root',
        copies: 1,
        rse_expression: 'TWO',
      });
      const [rule = ''] = (await ask('POST', '/rules/', dids('good'))) as string[];
      await expect.poll(() => stateOf(ask, rule)).toBe('OK');
      const wish = { dids: [{ scope: 'data', name: 'good' }], rse_expression: 'TWO' };
      const { pfns } = (await ask('POST', '/replicas/list', wish)) as { pfns: object };
      expect(readFileSync(pathOf(Object.keys(pfns)[0] ?? ''), 'utf8')).toBe('hello');

      await upload(ask, 'ONE', 'spoilt', 'hallo', '062c0215');
      await ask('POST', '/rules/', dids('spoilt'));
      await expect
        .poll(() => ask('GET', '/requests/data/spoilt/TWO'))
        .toMatchObject({ retry_count: 1, err_msg: expect.stringContaining('adler32') });
    },
    startTimeoutMs,
  );

  it(
    'copies nothing outside of its storage folder, nor to RSEs without the attribute',
    async () => {
      const ask = await start(0);
      await ask('POST', '/scopes/root/data');
      await addRse(ask, 'ONE', join(folder, 'storage/one'));
      await addRse(ask, 'OUTSIDE', join(folder, 'elsewhere'));
      await addRse(ask, 'MANUAL', join(folder, 'storage/manual'));
      await ask('POST', '/rses/OUTSIDE/attr/mover', { value: 'posix' });
      await upload(ask, 'ONE', 'f', 'hello', '062c0215');
      const rule = { dids: [{ scope: 'data', name: 'f' }], account: 'root', copies: 1 };
      await ask('POST', '/rules/', { ...rule, rse_expression: 'MANUAL' });
      await ask('POST', '/rules/', { ...rule, rse_expression: 'OUTSIDE' });
      await expect
        .poll(() => ask('GET', '/requests/data/f/OUTSIDE'))
        .toMatchObject({ retry_count: 1, err_msg: expect.stringContaining('not below a folder') });
      expect(await ask('GET', '/requests/data/f/MANUAL')).toMatchObject({ state: 'QUEUED', retry_count: 0 });
    },
    startTimeoutMs,
  );
});
