import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { commands } from '../../packaging/commands.ts';
import { type ServerProcess, shellEnvironment, startServerProcess } from '../support/server-process.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'dapple-package-'));
/** Where the action installs the package. */
const home = join(folder, 'server');
const installed = join(home, 'node_modules/dapple');
const program = join(home, 'node_modules/.bin/dapple');
/** What the action tells the steps that follow. */
const told = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_ENV: join(folder, 'env') };
const archive = join(folder, 'made', `dapple-${packageJson.version}.tgz`);
/** Runs the program as a shell does, by its first line. */
const dapple = async (...args: string[]) => {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { stdout, stderr } = await run(program, args, {
    cwd: folder,
    env: { ...shellEnvironment(), HOME: folder, PATH },
  });
  expect(stderr).not.toMatch(/warning/i);
  return stdout;
};

let server: ServerProcess;
/** The server of the action. */
let pid: number | undefined;

beforeAll(async () => {
  await run(process.execPath, ['packaging/pack.ts', join(folder, 'made'), '--no-wheel'], { cwd: root });
  await runAction();
  const args = ['--data', join(folder, 'data'), '--threads', '1'];
  server = await startServerProcess(args, { PASSWORD_ROUNDS: '16', HOME: folder, LOG_LEVEL: undefined }, [
    program,
    'start',
  ]);
}, 120_000);

afterAll(async () => {
  if (pid !== undefined) process.kill(pid);
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The step that installs the package and starts a server. */
async function runAction(): Promise<void> {
  // Nothing else may be needed: there is no registry.
  const offline = { npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9' };
  const env = { ...shellEnvironment(), ...told, ...offline, FOLDER: home, PACKAGE: archive, PORT_OF_SERVER: '0' };
  try {
    await run('bash', [join(root, 'examples/action/start.sh')], { env });
  } finally {
    pid = Number((await run('pgrep', ['-f', home]).catch(() => ({ stdout: '' }))).stdout) || undefined;
  }
}

const at = (path: string) => new URL(path, server.url).href;

async function logIn(url: string): Promise<string> {
  const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };
  const answer = await fetch(new URL('/auth/userpass', url), { headers });
  return answer.headers.get('X-Rucio-Auth-Token') ?? '';
}

async function send(url: string, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { 'X-Rucio-Auth-Token': await logIn(url) };
  const text = body === undefined ? null : JSON.stringify(body);
  return fetch(new URL(path, url), { method, headers, body: text });
}

/** Sends a request, and expects that it succeeds. */
async function ask(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await send(server.url, method, path, body);
  const text = await answer.text();
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true);
  return text;
}

describe('the package', () => {
  it('has at most 15 MB unpacked, no dependencies and no scripts', () => {
    const entries = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThan(15e6);
    const made = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
    expect(made).not.toHaveProperty('dependencies');
    expect(made).not.toHaveProperty('scripts');
  });

  it('serves the page for browsers, its files, the reference and the OpenAPI document', async () => {
    const page = await fetch(at('/'));
    const html = await page.text();
    const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(html) ?? [];
    const base = /<base href="([^"]+)"/.exec(html)?.[1] ?? page.url;
    expect((await fetch(new URL(script, new URL(base, page.url)))).status).toBe(200);
    expect((await fetch(at('/docs'))).status).toBe(200);
    expect(JSON.parse(await ask('GET', '/openapi.json'))).toHaveProperty('info.version', packageJson.version);
  });

  it('takes files, and follows up on a rule in the thread of reactions', async () => {
    await ask('POST', '/scopes/root/lab');
    await ask('POST', '/rses/DISK', {});
    await ask('POST', '/accounts/root/limits/local/DISK', { bytes: -1 });
    const file = { scope: 'lab', name: 'file', bytes: 3, adler32: '024d0127' };
    await ask('POST', '/replicas', { rse: 'DISK', files: [file] });
    await ask('POST', '/dids/lab/set', { type: 'DATASET' });
    await ask('POST', '/dids/lab/set/dids', { dids: [{ scope: 'lab', name: 'file' }] });
    const rule = {
      dids: [{ scope: 'lab', name: 'set' }],
      copies: 1,
      rse_expression: 'DISK',
      account: 'root',
      grouping: 'ALL',
    };
    await ask('POST', '/rules/', rule);
    // A file that is attached later gets its lock by the follow-up of the stream.
    await ask('POST', '/replicas', { rse: 'DISK', files: [{ ...file, name: 'later' }] });
    await ask('POST', '/dids/lab/set/dids', { dids: [{ scope: 'lab', name: 'later' }] });
    await expect.poll(async () => ask('GET', '/dids/lab/set/rules')).toMatch(/"locks_ok_cnt": ?2/);
  });

  it('answers long lists in worker threads', async () => {
    const names = Array.from({ length: 500 }, (_value, index) => ({
      scope: 'lab',
      type: 'DATASET',
      name: `${'n'.repeat(100)}${index}`,
    }));
    await ask('POST', '/dids', names);
    const list = async () => (await ask('GET', '/dids/lab/dids/search?type=dataset')).length;
    for (let round = 0; round < 5; round += 1) {
      const lengths = await Promise.all(Array.from({ length: 8 }, list));
      expect(Math.min(...lengths)).toBeGreaterThan(50_000);
    }
    expect(server.said.filter((line) => /stopped|cannot be loaded|Warning/.test(line))).toEqual([]);
  });

  it.each(Object.keys(commands))('says what the options of %s are, with its own names of commands', async (name) => {
    const help = await dapple(name, '--help');
    expect(help).toMatch(new RegExp(`dapple ${name} `));
    expect(help).not.toMatch(/npm (run|start)/);
  });

  it('lists its commands, and refuses others', async () => {
    const help = await dapple('--help');
    for (const name of Object.keys(commands)) expect(help).toContain(`  ${name} `);
    expect(await dapple('--version')).toBe(`${packageJson.version}\n`);
    await expect(dapple('fly')).rejects.toMatchObject({ code: 2 });
  });

  it('completes commands and options in bash', async () => {
    const script = await dapple('completion', 'bash');
    const complete = async (...words: string[]) => {
      const line = `${script}\nCOMP_WORDS=(dapple ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
        _dapple; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await run('bash', ['-c', line])).stdout.trim().split('\n');
    };
    expect(await complete('rec')).toEqual(['recount', 'recover']);
    expect(await complete('export', '--wi')).toEqual(['--without-passwords']);
  });

  it('sets its environment before it loads what reads that: it logs no requests by default, and takes a policy', async () => {
    expect(server.records).toEqual([]);
    const environment = { PASSWORD_ROUNDS: '16', HOME: folder };
    const other = await startServerProcess(['--in-memory', '--policy', 'atlas'], environment, [program, 'start']);
    try {
      // ATLAS has no names of one letter.
      const add = (url: string) => send(url, 'POST', '/dids/lab/a', { type: 'DATASET' });
      expect((await send(other.url, 'POST', '/scopes/root/lab')).status).toBe(201);
      expect((await add(other.url)).status).toBe(400);
      expect((await add(server.url)).status).toBe(201);
    } finally {
      await other.stop();
    }
  });

  it('exports what it serves, and loads it', async () => {
    await dapple('export', '--from', join(folder, 'data'), '--to', join(folder, 'export'));
    const said = await dapple('load', '--from', join(folder, 'export'), '--to', join(folder, 'copy'));
    expect(said).toMatch(/items?/);
  });
});

describe('the action', () => {
  it('starts a server that outlives its step, and names it to the steps that follow', async () => {
    const [, url = ''] = /^url=(.+)$/m.exec(readFileSync(told.GITHUB_OUTPUT, 'utf8')) ?? [];
    expect((await fetch(new URL('/ping', url))).status).toBe(200);
    const [, config = ''] = /^RUCIO_CONFIG=(.+)$/m.exec(readFileSync(told.GITHUB_ENV, 'utf8')) ?? [];
    expect(readFileSync(config, 'utf8')).toContain(`rucio_host = ${url}`);
  });

  it('takes the version of this package by default', () => {
    expect(readFileSync(join(root, 'action.yml'), 'utf8')).toContain(`default: '${packageJson.version}'`);
  });
});
