import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, describe, expect, it } from 'vitest';

import { fitsHash } from '../../lib/domain/identities/password.ts';
import { getIdentities } from '../../lib/store/entities/identity.ts';
import { openStore } from '../../lib/store/open-store.ts';
import { openEngine } from '../../local/open-engine.ts';
import { startServer } from '../../local/server.ts';
import { program } from '../support/programs.ts';
import { ownEngine } from '../support/run.ts';
import { shellEnvironment, startServerProcess } from '../support/server-process.ts';

const parent = mkdtempSync(join(tmpdir(), 'dapple-passwd-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Runs the program with lines on its standard input. */
async function passwd(args: readonly string[], lines: readonly string[]): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, [program('local/passwd.ts'), ...args], {
    env: shellEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, said: out + errors };
}

async function logIn(url: string, password: string): Promise<number> {
  const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': password };
  return (await fetch(`${url}/auth/userpass`, { headers })).status;
}

describe('npm run passwd', () => {
  it('sets a password in a data folder, whether a server runs on it or not, and by a URL', async () => {
    const dataDir = join(parent, 'data');
    const args = ['--data', dataDir, '--threads', '0', '--no-tasks', '--no-browser'];
    const server = await startServerProcess(args, { PASSWORD_ROUNDS: '16' });
    try {
      expect(await passwd(['--data', dataDir], ['secret', 'second'])).toMatchObject({
        code: 0,
        said: expect.stringContaining('The password of ddmlab is set.') as string,
      });
      expect([await logIn(server.url, 'secret'), await logIn(server.url, 'second')]).toEqual([401, 200]);
      expect(await passwd(['--url', server.url], ['second', 'third'])).toMatchObject({ code: 0 });
      expect([await logIn(server.url, 'second'), await logIn(server.url, 'third')]).toEqual([401, 200]);
      const wrong = await passwd(['--url', `${server.url}/`], ['second', 'fourth']);
      expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining('with given credentials') as string });
    } finally {
      await server.stop();
    }
    expect(await passwd(['--data', dataDir], ['fifth'])).toMatchObject({ code: 0 });
    const unknown = await passwd(['--data', dataDir, '--username', 'nobody'], ['x']);
    expect(unknown).toMatchObject({ code: 1, said: expect.stringContaining('There is no username nobody.') as string });
    // Its start sets what clients need.
    await ownEngine();
    const engine = openEngine(dataDir);
    try {
      const { table } = openStore({ ...engine.client, tableName: 'Dapple' });
      const [identity] = await getIdentities(table, [{ type: 'USERPASS', identity: 'ddmlab' }]);
      expect(await fitsHash('third', identity?.password)).toBe(false);
      expect(await fitsHash('fifth', identity?.password)).toBe(true);
    } finally {
      engine.close();
    }
  }, 60_000);

  it('needs a folder with a catalogue', async () => {
    const { code, said } = await passwd(['--data', join(parent, 'none')], ['x']);
    expect(code).toBe(1);
    expect(said).toContain('holds no catalogue');
  });
});

describe('a data folder', () => {
  const modes = (folder: string) =>
    Object.fromEntries(readdirSync(folder).map((file) => [file, statSync(join(folder, file)).mode & 0o777]));

  it('and its files are for their owner alone, also one that others could read', async () => {
    const folder = join(parent, 'modes');
    openEngine(folder).close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(new Set(Object.values(modes(folder)))).toEqual(new Set([0o600]));
    chmodSync(folder, 0o755);
    for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o644);
    writeFileSync(join(folder, 'notes.txt'), 'mine', { mode: 0o644 });
    const server = await startServer({ port: 0, dataDir: folder, tasks: false, browser: false });
    await server.close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const { 'notes.txt': notes, ...others } = modes(folder);
    expect(notes).toBe(0o644);
    expect(new Set(Object.values(others))).toEqual(new Set([0o600]));
  });
});
