import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { freePort } from '../../local/engine/judge/free-port.ts';
import { program } from '../support/programs.ts';
import { shellEnvironment } from '../support/server-process.ts';

const startTimeoutMs = 40_000;

let dataDir: string;
let port: number;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'dapple-main-'));
  port = await freePort();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | string | null>;
}

const main = program('local/main.ts');

/** Runs the entry point as `npm start` does, or npm itself. */
function run(command = process.execPath, args = [main, '--port', String(port), '--data', dataDir]): Run {
  const env = { ...shellEnvironment(), PATH: `${process.cwd()}/node_modules/.bin:${process.env['PATH']}` };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string | null);
  return { child, output: () => output, ended };
}

const inMemory = (at: number) => [main, '--in-memory', '--port', String(at)];

async function ready(started: Run): Promise<void> {
  await expect.poll(started.output, { timeout: 30_000, interval: 50 }).toMatch(/^ready http:\/\/localhost:\d+ /m);
}

describe('npm start', () => {
  it(
    'keeps its data through kill -9, leaves nothing behind, and stops tidily on SIGTERM',
    async () => {
      const first = run();
      await ready(first);
      const ping = await fetch(`http://localhost:${port}/ping`);
      expect(ping.status).toBe(200);
      expect(statSync(join(dataDir, 'token-key')).mode & 0o777).toBe(0o600);
      expect(first.output()).toMatch(/table Dapple created\naccount root created\n/);

      const rival = run(process.execPath, [main, '--port', '0', '--data', dataDir]);
      expect(await rival.ended).toBe(1);
      expect(rival.output()).toContain(`in use by process ${first.child.pid}`);

      first.child.kill('SIGKILL');
      await first.ended;
      const second = run();
      await ready(second);
      expect(second.output()).toMatch(/table Dapple found\naccount root found\n/);

      second.child.kill('SIGTERM');
      expect(await second.ended).toBe(0);
      expect(second.output()).toMatch(/SIGTERM: stopping\n$/);
      expect(existsSync(join(dataDir, 'engine.lock'))).toBe(false);
    },
    startTimeoutMs,
  );

  it(
    'ends everything when npm gets the signal',
    async () => {
      const npm = run('npm', ['run', 'start', '--ignore-scripts', '--', '--port', String(port), '--data', dataDir]);
      await ready(npm);

      npm.child.kill('SIGTERM');
      await npm.ended;

      const answers = () =>
        fetch(`http://localhost:${port}/ping`).then(
          () => true,
          () => false,
        );
      await expect.poll(answers, { timeout: 8_000 }).toBe(false);
    },
    startTimeoutMs,
  );

  it('serves its table as a DynamoDB endpoint if requested', async () => {
    const started = run(process.execPath, [...inMemory(port), '--dynamodb-port', '0']);
    await ready(started);
    const endpoint = /^DynamoDB endpoint (http:\/\/localhost:\d+)$/m.exec(started.output())?.[1] ?? '';
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
    const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });

    expect(await client.send(new ListTablesCommand())).toMatchObject({ TableNames: ['Dapple'] });
  });

  it('fails at once if its port is taken', async () => {
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
    [['--dynamodb-port', '70000'], 1, /'70000' is not a port number/],
    [['--nonsense'], 1, /--nonsense/],
    [['--port', '0', '--data', '/proc/x'], 1, /The data folder \/proc\/x cannot be made: .*--in-memory/],
    [['--port', '0', '--data', 'package.json/x'], 1, /The data folder package.json\/x cannot be made: .*--in-memory/],
  ])('%j', async (args, code, text) => {
    const started = run(process.execPath, [main, ...args]);

    expect(await started.ended).toBe(code);
    expect(started.output()).toMatch(text);
  });
});
