import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { logIn } from '../../bench/table/log-in.ts';
import { program } from '../support/programs.ts';
import { shellEnvironment, startServerProcess } from '../support/server-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-reap-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program like `npm run reap`. */
function reap(...args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program('local/reap.ts'), '--data', join(folder, 'data'), ...args],
      { env: shellEnvironment() },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

/** Writes a file at a PFN. */
function upload(pfn: string): string {
  const { pathname } = new URL(pfn);
  mkdirSync(dirname(pathname), { recursive: true });
  writeFileSync(pathname, '0123456789');
  return pathname;
}

it('npm run reap says what the reaper would delete, and deletes it only if asked to', async () => {
  const server = await startServerProcess(['--data', join(folder, 'data'), '--threads', '0']);
  const send = await logIn(server);
  const statuses: number[] = [];
  const post = async (path: string, body: unknown = {}) => {
    const answer = await send('POST', path, body);
    statuses.push(answer.status);
    return answer;
  };
  await post('/scopes/root/beam');
  await post('/rses/DISK');
  await post('/rses/DISK/attr/reaper', { value: true });
  await post('/accounts/root/limits/local/DISK', { bytes: -1 });
  const impl = 'rucio.rse.protocols.posix.Default';
  const domains = { wan: { read: 1, write: 1, delete: 1 } };
  const storage = join(folder, 'storage');
  const prefix = join(storage, 'disk');
  await post('/rses/DISK/protocols/file', { hostname: 'localhost', port: 0, prefix, impl, domains });
  const files = ['gone', 'kept'].map((name) => ({ scope: 'beam', name, bytes: 10, adler32: '0cc737eb' }));
  await post('/replicas', { rse: 'DISK', files });
  const paths: string[] = [];
  for (const { name } of files) {
    const answer = await send('GET', `/rses/DISK/lfns2pfns?lfn=beam:${name}`);
    paths.push(upload(Object.values((await answer.json()) as Record<string, string>)[0] ?? ''));
  }
  await post('/replicas/tombstone', { replicas: [{ rse: 'DISK', scope: 'beam', name: 'gone' }] });
  expect(new Set(statuses)).toEqual(new Set([201]));
  await server.stop();

  const obsolete = 'no space is missing, so only what may be deleted at once';
  const unused = 'its files are below no folder that --storage names';
  expect(await reap()).toEqual({ code: 0, output: `DISK: 1 replica, 10 bytes; ${obsolete}; ${unused}\n` });
  expect(await reap('--delete')).toEqual({
    code: 0,
    output: `DISK: 0 replicas deleted, 0 bytes; 0 not deleted; ${unused}\n`,
  });
  const here = ['--storage', storage];
  expect(await reap(...here)).toEqual({ code: 0, output: `DISK: 1 replica, 10 bytes; ${obsolete}\n` });
  expect(await reap('--rse', 'NONE')).toEqual({ code: 0, output: 'No such RSE.\n' });
  expect(paths.map(existsSync)).toEqual([true, true]);
  expect(await reap('--delete', ...here)).toEqual({
    code: 0,
    output: 'DISK: 1 replica deleted, 10 bytes; 0 not deleted; nothing is left to do\n',
  });
  expect(paths.map(existsSync)).toEqual([false, true]);
  expect(await reap(...here)).toEqual({ code: 0, output: `DISK: 0 replicas, 0 bytes; ${obsolete}\n` });
});
