import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { logIn } from '../../bench/table/log-in.ts';
import { program } from '../support/programs.ts';
import { shellEnvironment, startServerProcess } from '../support/server-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-recount-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program like `npm run recount`. */
function recount(args: readonly string[], environment = {}): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program('local/recount.ts'), ...args],
      { env: { ...shellEnvironment(), ...environment } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

describe('npm run recount', () => {
  it('refuses a folder without a catalogue with one sentence, and creates nothing', async () => {
    const missing = join(folder, 'wrong');
    for (const path of [missing, folder]) {
      const { code, output } = await recount(['--data', path]);
      expect(code).toBe(1);
      expect(output).toBe(
        `The folder ${path} holds no catalogue: there is no dapple.sqlite in it. ` +
          'Name the data folder of a local server with `--data <folder>`.\n',
      );
    }
    expect(existsSync(missing)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports in plain words what is right, which RSEs do not exist, and that a server uses the folder', async () => {
    const server = await startServerProcess(['--data', folder, '--threads', '0']);
    const send = await logIn(server);
    const statuses: number[] = [];
    const post = async (path: string, body?: unknown) => statuses.push((await send('POST', path, body)).status);
    await post('/scopes/root/beam');
    await post('/rses/DISK', {});
    const dids = [{ scope: 'beam', name: 'raw', bytes: 7, adler32: '0cc737eb' }];
    await post('/dids/beam/set', { type: 'DATASET', rse: 'DISK', dids });
    expect(statuses).toEqual([201, 201, 201]);
    const busy = await recount(['--data', folder]);
    expect(busy).toMatchObject({ code: 1, output: expect.stringContaining(`in use by process ${server.pid}`) });
    await server.stop();

    expect(await recount(['--data', folder])).toEqual({
      code: 0,
      output: '1 sum of usage on 1 RSE: recorded as the replicas and locks add up to. That is right.\n',
    });
    expect(await recount(['--data', folder, '--rse', 'TAPE'])).toEqual({ code: 1, output: 'There is no RSE TAPE.\n' });
  });
});
