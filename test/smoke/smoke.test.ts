/** The smoke test on a sound server: every line, the ends of the program, and what it leaves. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lines } from '../../smoke/lines.ts';
import { readOptions } from '../../smoke/options.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { startProxy } from './faulty-proxy.ts';
import { runSmoke } from './run-smoke.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess(['--in-memory', '--no-browser'], { CORS_ORIGINS: 'https://ui.example.org' });
});
afterAll(() => server.stop());

/** Reads as root: the values of a list, or of a document. */
async function listed(path: string): Promise<unknown[]> {
  const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };
  const { headers } = await fetch(`${server.url}/auth/userpass`, { headers: login });
  const token = headers.get('X-Rucio-Auth-Token') ?? '';
  const text = await (await fetch(server.url + path, { headers: { 'X-Rucio-Auth-Token': token } })).text();
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

describe('on a server of a laptop', () => {
  it('every line passes but what cannot be tried there, the status is 0, and nothing stays but the scope', async () => {
    const run = await runSmoke(['--url', server.url, '--origin', 'https://ui.example.org', '--json']);
    expect(run.lines().filter(({ result }) => result === 'failed')).toEqual([]);
    expect(run.status).toBe(0);
    expect(run.lines().map(({ name }) => name)).toEqual(lines.map(({ name }) => name));
    expect(run.lines().flatMap(({ name, result, came }) => (result === 'skipped' ? [`${name}: ${came}`] : []))).toEqual(
      [
        'certificate: only with --auth-url and --cert',
        'http/2: the URL is http://, HTTP/2 needs https://',
        'after-a-pause: only with --pause 600, which waits ten minutes',
      ],
    );
    expect(await listed('/rses')).toEqual([]);
    expect(await listed('/scopes')).toEqual([['smoke-test']]);
    expect(await listed('/dids/smoke-test/dids/search?type=file&name=*')).toEqual([]);
    for (const name of await listed('/dids/smoke-test/dids/search?type=collection&name=*')) {
      const [did] = await listed(`/dids/smoke-test/${encodeURIComponent(String(name))}`);
      expect(Date.parse((did as { expired_at: string }).expired_at)).toBeLessThan(Date.now());
    }
    expect(await listed('/accounts/root/limits/local')).toEqual([{}]);
    expect(await listed('/accounts/root/rules')).toEqual([]);
  });

  it('says each line in words, and repeats it in the scope of the run before', async () => {
    const run = await runSmoke(['--url', server.url, '--only', 'rule', '--only', 'after-a-pause', '--pause', '0.1']);
    expect(run.stdout).toMatch(/^ok +rule +a rule asks for a copy.*\n +REPLICATING, then OK after/m);
    expect(run.stdout).toMatch(/^ok +after-a-pause /m);
    expect(run.stdout).toMatch(/\n6 ok, 0 failed, 0 skipped\n$/);
    expect(run.status).toBe(0);
  });
});

describe('before it begins', () => {
  it.each([
    [[], /^`--url <url>` is missing\.$/],
    [['--url', 'localhost'], /^'localhost' is no http or https URL\.$/],
    [['--url', 'https://example.org'], /^`--password` is missing; .*docs\/how-to\/deploy.md/],
    [['--url', 'http://localhost', '--patience', 'x'], /^`--patience` takes a number of seconds up to 3600\.$/],
    [['--unknown'], /^Unknown option '--unknown'/],
  ])('%j is refused with a remedy', (args, message) => {
    expect(() => readOptions(args, {})).toThrow(message);
  });

  it('a line that there is not is refused with those that there are, and the status 1', async () => {
    const { status, stderr, stdout } = await runSmoke(['--url', 'http://localhost', '--only', 'x']);
    expect(stderr.trim()).toMatch(/^--only x: no such line. There are ping, health, /);
    expect([status, stdout]).toEqual([1, '']);
  });

  it('says its options', async () => {
    const { status, stdout } = await runSmoke(['--help']);
    expect(stdout).toMatch(/^npm run smoke -- --url <url>/);
    expect(status).toBe(0);
  });
});

it('an address where nobody is fails the first line and skips the others, with status 1', async () => {
  const run = await runSmoke(['--url', 'http://127.0.0.1:9', '--json']);
  expect(run.status).toBe(1);
  expect(run.line('ping')).toMatchObject({
    result: 'failed',
    advice: expect.stringMatching(/host and port/) as string,
  });
  expect(run.lines().filter(({ result }) => result !== 'skipped')).toHaveLength(1);
});

it('docs/operations/first-hour.md has every line with what it tries', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations/first-hour.md'), 'utf8');
  const rows = page.split('\n').flatMap((row) =>
    row.startsWith('| `')
      ? [
          row
            .split('|')
            .slice(1, 3)
            .map((cell) => cell.trim()),
        ]
      : [],
  );
  expect(rows).toEqual(lines.map(({ name, tries }) => [`\`${name}\``, tries]));
});

it('Ctrl-C ends the run after the present line, and what was made is deleted nevertheless', async () => {
  let interrupt = () => {};
  const proxy = await startProxy(server.url, { before: ({ path }) => void (path === '/rules/' && interrupt()) });
  try {
    const program = join(import.meta.dirname, '../../smoke/main.ts');
    const only = ['--only', 'rule', '--only', 'after-a-pause', '--pause', '1'];
    const child = spawn(process.execPath, [program, '--url', proxy.url, ...only, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    interrupt = () => child.kill('SIGINT');
    const { lines: told } = JSON.parse(await textOf(child.stdout)) as {
      lines: { name: string; result: string; came: string }[];
    };
    expect(told.map(({ name, result }) => `${name} ${result}`)).toEqual([
      'ping ok',
      'log-in ok',
      'prepare ok',
      'rule ok',
      'after-a-pause skipped',
      'clean-up ok',
    ]);
    expect(told.find(({ name }) => name === 'after-a-pause')?.came).toBe('stopped');
    expect(await listed('/rses')).toEqual([]);
  } finally {
    await proxy.close();
  }
});
