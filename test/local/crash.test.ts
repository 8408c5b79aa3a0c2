import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { volumeOf } from '../support/volume.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'dapple-crash-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function logIn(
  server: ServerProcess,
): Promise<(method: string, path: string, body?: unknown) => Promise<Response>> {
  const login = await fetch(`${server.url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  const token = login.headers.get('X-Rucio-Auth-Token') ?? '';
  return (method, path, body) =>
    fetch(server.url + path, {
      method,
      headers: { 'X-Rucio-Auth-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

const lines = async (answer: Response) => (await answer.text()).split('\n').filter(Boolean).length;

describe('a server that is killed during a bulk request', () => {
  it('leaves all or nothing, and keeps older data and the tokens', async () => {
    const options = ['--data', dataDir];
    let server = await startServerProcess(options);
    try {
      let call = await logIn(server);
      await call('POST', '/scopes/root/crash');
      await call('POST', '/rses/CRASH_DISK');
      const before = await call('POST', '/dids/crash/before', { type: 'DATASET' });
      expect(before.status).toBe(201);

      const fill = (part: number) => {
        const dids = Array.from({ length: 900 }, (_value, index) => ({
          scope: 'crash',
          name: `after${part}/${index}`,
          bytes: 7,
        }));
        return call('POST', `/dids/crash/ds${part}`, { type: 'DATASET', rse: 'CRASH_DISK', dids });
      };
      const began = performance.now();
      expect((await fill(1)).status).toBe(201);
      const whole = performance.now() - began;

      for (const part of [0.4, 0.1, 0.8].slice(0, volumeOf('serverKills'))) {
        const outcome = fill(part)
          .then(({ status }) => status)
          .catch(() => 'broken off');
        await sleep(part * whole);
        await server.kill();
        const answered = await outcome;

        server = await startServerProcess(options);
        call = await logIn(server);
        const dataset = await call('GET', `/dids/crash/ds${part}`);
        const listed = await call('GET', `/dids/crash/ds${part}/dids`);
        const file = await call('GET', `/dids/crash/after${part}/0`);
        if (dataset.status === 200) {
          expect(await dataset.json()).toMatchObject({ length: 900, bytes: 6_300 });
          expect(await lines(listed)).toBe(900);
          expect(file.status).toBe(200);
        } else {
          expect([dataset.status, listed.status, file.status, answered]).toEqual([404, 404, 404, 'broken off']);
          expect((await call('POST', `/dids/crash/ds${part}`, { type: 'DATASET' })).status).toBe(201);
        }
        expect((await call('GET', '/dids/crash/before')).status).toBe(200);
      }
    } finally {
      await server.stop();
    }
  }, 180_000);
});
