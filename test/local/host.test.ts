import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { byOrigin } from '../../local/beyond-loopback.ts';
import { readSettings } from '../../local/options.ts';
import type { RootAccount } from '../../local/prepare-data.ts';
import { startServer } from '../../local/server.ts';
import { startServerProcess } from '../support/server-process.ts';

const quick = { PASSWORD_ROUNDS: '16' };

it('--host 0.0.0.0 serves every address of the machine, with a password of its own', async () => {
  const server = await startServerProcess(['--in-memory', '--host', '0.0.0.0'], { ...quick, ROOT_PASSWORD: 'own' });
  try {
    const { port } = new URL(server.url);
    for (const address of ['localhost', '127.0.0.1', '127.0.0.2']) {
      expect((await fetch(`http://${address}:${port}/ping`)).status, address).toBe(200);
    }
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
    const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'own' };
    expect((await fetch(`${server.url}/auth/userpass`, { headers })).status).toBe(200);
  } finally {
    await server.stop();
  }
});

it('--host makes a password for a new catalogue and tells it once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-host-'));
  const host = ['--host', '0.0.0.0', '--data', join(folder, 'data'), '--threads', '0'];
  const logIn = async (url: string, password: string) =>
    (
      await fetch(`${url}/auth/userpass`, {
        headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': password },
      })
    ).status;
  const made = /The password of root was made, and is told this once: (\S+)/;
  try {
    const first = await startServerProcess(host, quick);
    const password = made.exec(first.said.join('\n'))?.[1] ?? '';
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect([await logIn(first.url, password), await logIn(first.url, 'secret')]).toEqual([200, 401]);
    await first.stop();
    const second = await startServerProcess(host, quick);
    expect(second.said.join('\n')).not.toMatch(made);
    expect(await logIn(second.url, password)).toBe(200);
    await second.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('--root-password-file gives the password, and an empty file is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-host-'));
  const file = join(folder, 'password');
  try {
    writeFileSync(file, 'of the file\n');
    const args = ['--in-memory', '--host', '0.0.0.0', '--root-password-file', file];
    const server = await startServerProcess(args, quick);
    const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'of the file' };
    expect((await fetch(`${server.url}/auth/userpass`, { headers })).status).toBe(200);
    expect(server.said.join('\n')).not.toContain('of the file');
    await server.stop();
    writeFileSync(file, '\n');
    await expect(startServerProcess(args, quick)).rejects.toThrow('The first line of');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('a folder with the documented password', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-host-'));
  const alone = ['--threads', '0'];
  const data = ['--data', join(folder, 'data'), ...alone];
  const admin = { username: 'admin', password: 'secret' };
  const host = ['--host', '0.0.0.0'];
  const serveHere = (args: readonly string[], root: RootAccount) =>
    startServer({ ...readSettings([...host, ...args]), port: 0, root, tasks: false });

  let refusal: unknown;

  beforeAll(async () => {
    await (await startServer({ ...readSettings(data), port: 0, root: admin, tasks: false })).close();
    refusal = await startServerProcess([...host, ...data], quick).catch((error: unknown) => error);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('--host is refused where the folder has the documented password', async () => {
    expect(String(refusal)).toContain('documented password');
    await expect(serveHere(data, { username: 'ddmlab', password: 'own' })).rejects.toThrow('npm run passwd');
  });

  it('--host is refused with the documented password of any user of root, before anything is served', async () => {
    const other = ['--data', join(folder, 'other'), ...alone];
    await expect(serveHere(other, admin)).rejects.toThrow('The user admin has');
    expect(String(refusal)).toContain('The user admin has the documented password');
  });
});

it('--host names an address that the machine has, and excludes --test-reset', async () => {
  const start = startServerProcess(['--in-memory', '--host', '192.0.2.1'], { ...quick, ROOT_PASSWORD: 'own' });
  await expect(start).rejects.toThrow('The address 192.0.2.1 cannot be listened on');
  expect(() => readSettings(['--in-memory', '--test-reset', '--host', '0.0.0.0'])).toThrow('leave out --host');
});

it.each([
  ['127.0.0.1', {}, 'own'],
  ['::1', {}, 'own'],
  ['::ffff:127.0.0.1', {}, 'own'],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 'foreign'],
  ['::1', { forwarded: 'for=::1' }, 'foreign'],
  ['192.0.2.7', {}, 'foreign'],
  ['2001:db8::1', {}, 'foreign'],
  [undefined, {}, 'foreign'],
])('a request from %s with %o is one of %s', (remoteAddress, headers, wanted) => {
  let answered = '';
  const listen = (name: string) => () => void (answered = name);
  const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
  byOrigin(listen('own'), listen('foreign'))(request, {} as ServerResponse);
  expect(answered).toBe(wanted);
});
