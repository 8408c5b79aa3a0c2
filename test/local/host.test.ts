import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { byOrigin } from '../../local/beyond-loopback.ts';
import { readSettings } from '../../local/options.ts';
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

it('--host is refused with the documented password, also where only the folder has it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-host-'));
  const host = ['--host', '0.0.0.0', '--data', join(folder, 'data')];
  try {
    await expect(startServerProcess(host, quick)).rejects.toThrow('Set ROOT_PASSWORD');
    expect(existsSync(join(folder, 'data/dapple.sqlite'))).toBe(false);
    await (await startServerProcess(host.slice(2), quick)).stop();
    await expect(startServerProcess(host, quick)).rejects.toThrow('documented password');
    await expect(startServerProcess(host, { ...quick, ROOT_PASSWORD: 'own' })).rejects.toThrow('npm run passwd');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('--host is refused with the documented password of any user of root, before anything is served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-host-'));
  const host = ['--host', '0.0.0.0', '--data', join(folder, 'data')];
  const named = { ...quick, ROOT_USERNAME: 'admin' };
  try {
    await expect(startServerProcess(host, { ...named, ROOT_PASSWORD: 'secret' })).rejects.toThrow('The user admin has');
    await (await startServerProcess(host.slice(2), named)).stop();
    await expect(startServerProcess(host, quick)).rejects.toThrow('The user admin has the documented password');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('--host names an address that the machine has, and excludes --test-reset', async () => {
  const start = startServerProcess(['--in-memory', '--host', '192.0.2.1'], { ...quick, ROOT_PASSWORD: 'own' });
  await expect(start).rejects.toThrow('The address 192.0.2.1 cannot be listened on');
  expect(() => readSettings(['--in-memory', '--test-reset', '--host', '0.0.0.0'])).toThrow('leave out --host');
});

it.each([
  ['127.0.0.1', 'own'],
  ['::1', 'own'],
  ['::ffff:127.0.0.1', 'own'],
  ['192.0.2.7', 'foreign'],
  ['2001:db8::1', 'foreign'],
  [undefined, 'foreign'],
])('a request from %s is one of %s', (remoteAddress, wanted) => {
  let answered = '';
  const listen = (name: string) => () => void (answered = name);
  byOrigin(listen('own'), listen('foreign'))({ socket: { remoteAddress } } as IncomingMessage, {} as ServerResponse);
  expect(answered).toBe(wanted);
});
