import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, inject, it } from 'vitest';

import { addStorage, type Ask, pathOf, pfnOf, startLaptop, stateOf, upload, want } from '../support/laptop.ts';

const run = promisify(execFile);
const page = 'docs/how-to/move-data.md';
const maxLines = 35;
const timeoutMs = 120_000;

/** The program on the page. */
function readExample(): string {
  const [, text = ''] = /^```python\n(.*?)^```/ms.exec(readFileSync(page, 'utf8')) ?? [];
  return text;
}

/** Makes the account of a mover, and the configuration of its client. */
async function addMover(ask: Ask, url: string, folder: string): Promise<string> {
  await ask('POST', '/accounts/mover1', { type: 'SERVICE', email: 'mover@example.org' });
  await ask('POST', '/accounts/mover1/attr/mover', { key: 'mover', value: 'True' });
  const identity = { username: 'mover1', password: 'move-secret', email: 'mover@example.org' };
  await ask('POST', '/accounts/mover1/identities', {
    identity: identity.username,
    authtype: 'USERPASS',
    email: identity.email,
    password: identity.password,
  });
  const file = join(folder, 'rucio.cfg');
  const settings = [`rucio_host = ${url}`, `auth_host = ${url}`, 'account = mover1', 'auth_type = userpass'];
  writeFileSync(file, ['[client]', ...settings, 'username = mover1', 'password = move-secret', ''].join('\n'));
  return file;
}

it(
  'the mover on the page, in some thirty lines, copies what rules ask for, and reports a wrong checksum',
  async () => {
    expect(readExample().trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(maxLines);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dapple-small-mover-')));
    const { server, ask } = await startLaptop(['--in-memory']);
    try {
      await ask('POST', '/scopes/root/data');
      await addStorage(ask, 'ONE', join(folder, 'one'));
      await addStorage(ask, 'TWO', join(folder, 'two'));
      await upload(ask, 'ONE', 'good', 'hello', '062c0215');
      await upload(ask, 'ONE', 'spoilt', 'hallo', '062c0215');
      const rules = [await want(ask, 'good', 'TWO'), await want(ask, 'spoilt', 'TWO')];
      const program = join(folder, 'small_mover.py');
      writeFileSync(program, readExample());
      const { stdout } = await run(join(inject('clientBin'), 'python'), [program, 'TWO'], {
        env: { HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8', RUCIO_CONFIG: await addMover(ask, server.url, folder) },
      });
      expect(stdout.trim().split('\n').toSorted()).toEqual([
        'data:good copied',
        'data:spoilt the copy differs from the file',
      ]);
      expect(await Promise.all(rules.map((rule) => stateOf(ask, rule)))).toEqual(['OK', 'REPLICATING']);
      expect(readFileSync(pathOf(await pfnOf(ask, 'TWO', 'good')), 'utf8')).toBe('hello');
      expect(existsSync(pathOf(await pfnOf(ask, 'TWO', 'spoilt')))).toBe(false);
    } finally {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  timeoutMs,
);
