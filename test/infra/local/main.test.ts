import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { freePort } from '../../../infra/local/dynamodb.ts';
import { shellEnvironment } from '../../support/server-process.ts';

const patience = 40_000;

let dataDir: string;
let port: number;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'dapple-main-'));
  port = await freePort();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await expect.poll(() => enginePid() === undefined || !isAlive(enginePid() ?? 0), { timeout: 8_000 }).toBe(true);
  rmSync(dataDir, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | string | null>;
}

/** Runs the entry point as `npm start` does, or npm itself. */
function run(
  command = process.execPath,
  args = ['infra/local/main.ts', '--port', String(port), '--data', dataDir],
): Run {
  const env = { ...shellEnvironment(), PATH: `${process.cwd()}/node_modules/.bin:${process.env['PATH']}` };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string | null);
  return { child, output: () => output, ended };
}

async function ready(started: Run): Promise<void> {
  await expect.poll(started.output, { timeout: 30_000, interval: 50 }).toMatch(/^ready http:\/\/localhost:\d+ /m);
}

function enginePid(): number | undefined {
  const lock = join(dataDir, 'engine.lock');
  return existsSync(lock) ? (JSON.parse(readFileSync(lock, 'utf8')) as { engine: number }).engine : undefined;
}

/** Whether a process runs. One that has ended stays in the list until its parent has looked; that is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

describe('npm start', () => {
  it(
    'keeps its data through kill -9, leaves no Java behind, and stops tidily on SIGTERM',
    async () => {
      const first = run();
      await ready(first);
      const engine = enginePid() ?? 0;
      const ping = await fetch(`http://localhost:${port}/ping`);
      expect(ping.status).toBe(200);
      expect(statSync(join(dataDir, 'token-key')).mode & 0o777).toBe(0o600);
      expect(first.output()).toMatch(/table Dapple created\naccount root created\n/);

      const rival = run(process.execPath, ['infra/local/main.ts', '--port', '0', '--data', dataDir]);
      expect(await rival.ended).toBe(1);
      expect(rival.output()).toContain(`in use by process ${first.child.pid}`);

      first.child.kill('SIGKILL');
      await first.ended;
      const second = run();
      await ready(second);
      expect(isAlive(engine)).toBe(false);
      expect(second.output()).toMatch(/table Dapple found\naccount root found\n/);

      const next = enginePid() ?? 0;
      second.child.kill('SIGTERM');
      expect(await second.ended).toBe(0);
      expect(second.output()).toMatch(/SIGTERM: stopping\n$/);
      expect(isAlive(next)).toBe(false);
      expect(enginePid()).toBeUndefined();
    },
    patience,
  );

  it(
    'ends everything when npm gets the signal',
    async () => {
      const npm = run('npm', ['run', 'start', '--ignore-scripts', '--', '--port', String(port), '--data', dataDir]);
      await ready(npm);
      const engine = enginePid() ?? 0;

      npm.child.kill('SIGTERM');
      await npm.ended;

      await expect.poll(() => isAlive(engine), { timeout: 8_000 }).toBe(false);
      await expect(fetch(`http://localhost:${port}/ping`)).rejects.toThrow('fetch failed');
    },
    patience,
  );

  it('says at once when its port is taken', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');

    const rival = run();

    expect(await rival.ended).toBe(1);
    expect(rival.output()).toContain(`Port ${port} is taken by another program`);
    other.close();
  });

  it.each([
    [['--help'], 0, /--in-memory/],
    [['--port', 'http'], 1, /'http' is not a port number/],
    [['--nonsense'], 1, /--nonsense/],
  ])('%j', async (args, code, text) => {
    const started = run(process.execPath, ['infra/local/main.ts', ...args]);

    expect(await started.ended).toBe(code);
    expect(started.output()).toMatch(text);
  });
});
