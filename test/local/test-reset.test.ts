import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readSettings } from '../../local/options.ts';
import { baseUrl } from '../support/run.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

let server: ServerProcess;
let token: string;

beforeAll(async () => {
  server = await startServerProcess(['--in-memory', '--test-reset'], { PASSWORD_ROUNDS: '16' });
  token = await logIn('root', 'ddmlab', 'secret');
});
afterAll(async () => server.stop());

const at = (path: string) => new URL(path, server.url);

async function logIn(account: string, username: string, password: string): Promise<string> {
  const headers = { 'X-Rucio-Account': account, 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  return (await fetch(at('/auth/userpass'), { headers })).headers.get('X-Rucio-Auth-Token') ?? '';
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(at(path), {
    method,
    headers: { 'X-Rucio-Auth-Token': token },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const reset = async (headers: Readonly<Record<string, string>> = { 'X-Dapple-Reset': 'yes' }) =>
  fetch(at('/test/reset'), { method: 'POST', headers });

/** A scope, a dataset with a file on an RSE, a rule, an account, an option and metadata. */
async function fill(): Promise<void> {
  const steps = [
    ['POST', '/scopes/root/lab'],
    ['POST', '/rses/DISK', {}],
    ['POST', '/rses/DISK/attr/tier', { value: '1' }],
    ['POST', '/accounts/root/limits/local/DISK', { bytes: -1 }],
    ['POST', '/accounts/alice', { type: 'USER', email: 'alice@example.org' }],
    ['POST', '/replicas', { rse: 'DISK', files: [{ scope: 'lab', name: 'file', bytes: 3, adler32: '024d0127' }] }],
    ['POST', '/dids/lab/set', { type: 'DATASET', meta: { run: 1 } }],
    ['POST', '/dids/lab/set/dids', { dids: [{ scope: 'lab', name: 'file' }] }],
    [
      'POST',
      '/rules/',
      { dids: [{ scope: 'lab', name: 'set' }], copies: 1, rse_expression: 'tier=1', account: 'root' },
    ],
  ] as const;
  for (const [method, path, body] of steps) {
    const { status, text } = await ask(method, path, body);
    expect(status, `${path}: ${text}`).toBe(201);
  }
}

describe('POST /test/reset of a server with --test-reset', () => {
  it('takes the catalogue back to its start, so that the same can be made again', async () => {
    for (let round = 0; round < 3; round += 1) {
      await fill();
      expect((await reset()).status).toBe(200);
      for (const path of ['/dids/lab/set', '/rses/DISK', '/accounts/alice', '/dids/lab/set/rules']) {
        expect((await ask('GET', path)).status, path).toBe(404);
      }
      expect(await ask('GET', '/rses?expression=tier=1')).toMatchObject({ status: 400 });
      expect((await ask('GET', '/scopes/')).text).not.toContain('lab');
    }
  });

  it('keeps the tokens of accounts that were there at the start', async () => {
    await reset();
    expect((await ask('GET', '/accounts/whoami')).text).toContain('"root"');
    expect(await logIn('root', 'ddmlab', 'secret')).not.toBe('');
  });

  it('starts what follows from changes again', async () => {
    await reset();
    await fill();
    const later = { scope: 'lab', name: 'later', bytes: 3, adler32: '024d0127' };
    await ask('POST', '/replicas', { rse: 'DISK', files: [later] });
    await ask('POST', '/dids/lab/set/dids', { dids: [{ scope: 'lab', name: 'later' }] });
    await expect.poll(async () => (await ask('GET', '/dids/lab/set/rules')).text).toMatch(/"locks_ok_cnt": ?2/);
  });

  it('lets nothing of before follow after it', async () => {
    await reset();
    await fill();
    // Reactions to these are under way when the catalogue is reset.
    await Promise.all(
      Array.from({ length: 50 }, (_value, index) => ask('POST', `/dids/lab/d${index}`, { type: 'DATASET' })),
    );
    await reset();
    await new Promise((done) => setTimeout(done, 500));
    expect((await ask('GET', '/scopes/')).text).not.toContain('lab');
    await fill();
  });

  it('holds requests that come meanwhile', async () => {
    await reset();
    const [done, ...answers] = await Promise.all([
      reset(),
      ...Array.from({ length: 20 }, (_value, index) => ask('POST', `/scopes/root/scope${index}`)),
    ]);
    expect(done.status).toBe(200);
    for (const { status } of answers) expect(status).toBe(201);
  });

  it('takes milliseconds', async () => {
    await reset();
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await fill();
      const begun = performance.now();
      await reset();
      times.push(performance.now() - begun);
    }
    console.log(`reset: ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
    // The fastest, since other processes take turns on this machine.
    expect(Math.min(...times)).toBeLessThan(100);
  });

  it('is refused without its header, which a page of another site cannot send', async () => {
    await fill();
    expect((await reset({})).status).toBe(403);
    const preflight = await fetch(at('/test/reset'), { method: 'OPTIONS', headers: { Origin: 'https://example.org' } });
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect((await ask('GET', '/dids/lab/set')).status).toBe(200);
  });
});

describe('--test-reset', () => {
  it('needs --in-memory', () => {
    expect(() => readSettings(['--test-reset'])).toThrow('--in-memory');
  });

  it('is off by default: the path leads nowhere', async () => {
    const { testReset } = readSettings(['--in-memory']) ?? {};
    expect(testReset).toBe(false);
    const path = `${await baseUrl()}/test/reset`;
    expect((await fetch(path, { method: 'POST', headers: { 'X-Dapple-Reset': 'yes' } })).status).toBe(404);
  });
});
