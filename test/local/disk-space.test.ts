import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { type LocalServer, startServer } from '../../local/server.ts';
import { run } from '../moving/export/programs.ts';

const megabyte = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'dapple-disk-'));
const tokenFile = join(folder, 'metrics-token');
const said: string[] = [];
let free = 100_000 * megabyte;
let server: LocalServer;
let token: string;

/** Sets the free space of the disk. The server looks four times a second. */
async function leave(megabytes: number): Promise<void> {
  free = megabytes * megabyte;
  await expect.poll(async () => (await metrics()).get('dapple_disk_free_bytes')).toBe(free);
}

async function send(method: string, path: string, body?: unknown) {
  const headers = { 'X-Rucio-Auth-Token': token };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${server.url}${path}`, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function problems(): Promise<string[]> {
  return (JSON.parse((await send('GET', '/status')).text) as { problems: string[] }).problems;
}

async function metrics(): Promise<ReadonlyMap<string, number>> {
  const headers = { Authorization: 'Bearer a-token-of-tests-0' };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  return new Map(
    text
      .split('\n')
      .map((line) => line.split(/ (?=\S+$)/))
      .map(([name = '', value = '']) => [name, Number(value)]),
  );
}

beforeAll(async () => {
  writeFileSync(tokenFile, 'a-token-of-tests-0\n');
  server = await startServer({
    port: 0,
    dataDir: join(folder, 'data'),
    metricsTokenFile: tokenFile,
    browser: false,
    minFree: 256 * megabyte,
    measureDisk: () => ({ free, size: 100_000 * megabyte }),
    say: (line) => said.push(line),
  });
  const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };
  token = (await fetch(`${server.url}/auth/userpass`, { headers })).headers.get('X-Rucio-Auth-Token') ?? '';
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a disk that is nearly full is told, and everything goes on', async () => {
  await leave(900);
  expect(said.filter((line) => line.includes('has 900 MB free: below 256 MB nothing is stored'))).toHaveLength(1);
  expect((await send('POST', '/scopes/root/little')).status).toBe(201);
  expect(await problems()).toEqual([expect.stringMatching(/^The disk of .* has 900 MB free: below 256 MB nothing/)]);
  expect((await metrics()).get('dapple_disk_refusing')).toBe(0);
});

it('what stores is refused below the reserve by a 503 that names the disk; reads, deletions and log-ins go on', async () => {
  expect((await send('POST', '/rses/FULL_DISK', {})).status).toBe(201);
  expect((await send('POST', '/dids/little/ds', { type: 'DATASET' })).status).toBe(201);
  await leave(200);
  for (const [method, path, body] of [
    ['POST', '/scopes/root/none', undefined],
    ['POST', '/dids/little/other', { type: 'DATASET' }],
    ['PUT', '/dids/little/ds/status', { open: false }],
  ] as const) {
    const { status, headers, text } = await send(method, path, body);
    expect(status, path).toBe(503);
    expect(headers.get('ExceptionClass')).toBe('ResourceTemporaryUnavailable');
    expect(headers.get('Retry-After')).toBe('60');
    expect(text).toContain(`The disk of ${join(folder, 'data')} has 200 MB free. Nothing is stored below 256 MB`);
  }
  expect((await send('GET', '/dids/little/ds')).status).toBe(200);
  expect((await send('POST', '/replicas/list', { dids: [{ scope: 'little', name: 'ds' }] })).status).toBe(200);
  expect((await send('POST', '/nothing/there')).status).toBe(404);
  expect((await send('DELETE', '/rses/FULL_DISK')).status).toBe(200);
  const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };
  expect((await fetch(`${server.url}/auth/userpass`, { headers })).status).toBe(200);
  expect((await metrics()).get('dapple_disk_refusing')).toBe(1);
  expect(await problems()).toEqual([expect.stringMatching(/has 200 MB free: nothing is stored until 256 MB are free/)]);
});

it('space that was freed is used without a restart', async () => {
  await leave(2_000);
  expect((await send('POST', '/scopes/root/again')).status).toBe(201);
  expect(said.at(-1)).toContain('has 2000 MB free: that is enough again');
  expect((await metrics()).get('dapple_disk_refusing')).toBe(0);
  expect(await problems()).toEqual([]);
});

it('the metrics tell rules by state, and how far the stream is behind', async () => {
  const before = await metrics();
  expect(before.get('dapple_rules{state="STUCK"}')).toBe(0);
  await expect.poll(async () => (await metrics()).get('dapple_stream_lag_records{reader="stream"}')).toBe(0);
  expect((await metrics()).get('dapple_stream_lag_seconds{reader="follow-up"}')).toBeGreaterThanOrEqual(0);
});

it('the status tells how far the stream is behind, and when the folder was last exported', async () => {
  const status = async () =>
    JSON.parse((await send('GET', '/status')).text) as {
      stream: { behind_seconds: number };
      backup: { last_at: string | null };
    };
  const before = await status();
  expect(before.stream.behind_seconds).toBeGreaterThanOrEqual(0);
  expect(before.backup.last_at).toBeNull();
  const began = Math.floor(Date.now() / 1_000) * 1_000;
  const { code } = await run('export', ['--from', join(folder, 'data'), '--to', join(folder, 'backup')]);
  expect(code).toBe(0);
  expect(Date.parse((await status()).backup.last_at ?? '')).toBeGreaterThanOrEqual(began);
});

it('with a token file the metrics are for who presents the token', async () => {
  for (const headers of [{}, { Authorization: 'Bearer a-token-of-tests-1' }, { Authorization: 'a-token-of-tests-0' }]) {
    const answer = await fetch(`${server.url}/metrics`, { headers });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('dapple_');
  }
});

it('with a port of their own the metrics are there alone', async () => {
  const lines: string[] = [];
  const other = await startServer({ port: 0, metricsPort: 0, browser: false, say: (line) => lines.push(line) });
  try {
    const url = lines.map((line) => /^metrics (\S+)/.exec(line)?.[1]).find((found) => found !== undefined) ?? '';
    expect(await (await fetch(url)).text()).toContain('dapple_rules{state="STUCK"} 0');
    expect((await fetch(`${other.url}/metrics`)).status).toBe(404);
  } finally {
    await other.close();
  }
});

it('a short token is refused', async () => {
  writeFileSync(tokenFile, 'short\n');
  await expect(startServer({ port: 0, metricsTokenFile: tokenFile })).rejects.toThrow('a token of 16 characters');
});
