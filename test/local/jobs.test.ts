import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DueTimes } from '../../local/jobs/due-times.ts';
import { readJob } from '../../local/jobs/plan.ts';
import { readSettings } from '../../local/options.ts';
import { startServer } from '../../local/server.ts';
import { withSettingsFile } from '../../local/settings-file.ts';
import { program } from '../support/programs.ts';
import { type ServerProcess, shellEnvironment, startServerProcess } from '../support/server-process.ts';

const runFile = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'dapple-jobs-'));
const path = (...parts: string[]) => join(folder, ...parts);
const hooked: { text: string; code: number; output: string }[] = [];
const hook = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    hooked.push(JSON.parse(body) as (typeof hooked)[number]);
    response.end();
  });
});
let server: ServerProcess;

async function send(method: string, route: string, body?: unknown): Promise<unknown> {
  const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' };
  const token =
    (await fetch(`${server.url}/auth/userpass`, { headers: login })).headers.get('X-Rucio-Auth-Token') ?? '';
  const init = { method, headers: { 'X-Rucio-Auth-Token': token } };
  const answer = await fetch(
    `${server.url}${route}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
  const content = await answer.text();
  expect(answer.ok, `${route}: ${content}`).toBe(true);
  return method === 'GET' ? JSON.parse(content) : undefined;
}

/** Those that have their name: a server that stops leaves a part of one. */
const backups = () =>
  (existsSync(path('backups')) ? readdirSync(path('backups')) : []).filter((name) => !name.includes('.')).toSorted();
const done = (command: string) =>
  server.said.filter((line) => line.startsWith(`job ${command}`) && / after \d+ s: /.test(line));

beforeAll(async () => {
  await new Promise<void>((listening) => hook.listen(0, '127.0.0.1', listening));
  mkdirSync(path('disk'));
  writeFileSync(path('sendmail'), `#!/bin/sh\ncat > ${path('mail')}.new && mv ${path('mail')}.new ${path('mail')}\n`);
  chmodSync(path('sendmail'), 0o700);
  writeFileSync(
    path('settings.json'),
    JSON.stringify({
      data: path('data'),
      job: [
        `every 2s backup --to ${path('backups')} --keep 1`,
        `every 2s check-storage --rse LAB --folder '${path('disk')}' --min-age 0`,
        `every 2s report --to ${path('reports')}`,
      ],
      'mail-to': 'operator@example.org',
      sendmail: path('sendmail'),
      webhook: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/secret`,
      browser: false,
    }),
  );
  server = await startServerProcess(['--settings', path('settings.json')], {
    PASSWORD_ROUNDS: '16',
    LOG_LEVEL: 'WARN',
  });
  await send('POST', '/rses/LAB', {});
  await send('POST', '/scopes/root/lab');
  await send('POST', '/accounts/root/limits/local/LAB', { bytes: 1_000 });
  await send('POST', '/replicas', { rse: 'LAB', files: [{ scope: 'lab', name: 'f', bytes: 3, adler32: '024d0127' }] });
  await send('POST', '/rules/', {
    dids: [{ scope: 'lab', name: 'f' }],
    copies: 1,
    rse_expression: 'LAB',
    account: 'root',
  });
});

afterAll(async () => {
  await server?.stop();
  hook.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the jobs of a server', () => {
  it('take backups that open, and keep the latest ones', async () => {
    await expect.poll(() => done('backup').length, { timeout: 55_000 }).toBeGreaterThanOrEqual(2);
    expect(backups().length).toBeLessThanOrEqual(2);
    expect(done('backup').at(-1)).toMatch(/done after \d+ s: .*items, \d+ bytes, loaded again; [01] older removed/);
  });

  it('compare a storage in the name of root, and tell what they find by mail and webhook', async () => {
    await expect.poll(() => hooked.some(({ output }) => output.includes('lost\tlab:f'))).toBe(true);
    const found = hooked.find(({ output }) => output.includes('lost\tlab:f'));
    expect(found).toMatchObject({ code: 1, command: 'check-storage' });
    expect(found?.text).toContain('check-storage found differences');
    await expect.poll(() => existsSync(path('mail')) && readFileSync(path('mail'), 'utf8')).toContain('lost\tlab:f');
    expect(readFileSync(path('mail'), 'utf8')).toMatch(
      /^To: operator@example\.org\nSubject: Dapple on .*check-storage/,
    );
  });

  it('write reports of usage', async () => {
    await expect
      .poll(() => {
        const [name] = existsSync(path('reports')) ? readdirSync(path('reports')) : [];
        return name === undefined ? '' : readFileSync(path('reports', name), 'utf8');
      })
      .toBe('account,group,rse,files,bytes,limit_bytes\r\nroot,,LAB,1,3,1000\r\n');
  });

  it('are in the metrics, and their results outlive the server', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const labels = `job="backup --to ${path('backups')} --keep 1",command="backup"`;
    expect(metrics).toContain(`dapple_job_failed{${labels}} 0`);
    expect(metrics).toMatch(/^dapple_last_backup_timestamp_seconds 1\d+/m);
    expect(metrics).toMatch(/^dapple_job_success_timestamp_seconds\{job="backup [^}]*\} 1\d+/m);
    expect(metrics).toMatch(/^dapple_job_failed\{job="check-storage [^}]*\} 1$/m);
    const kept = JSON.parse(readFileSync(path('data/jobs.json'), 'utf8')) as { command: string }[];
    expect(kept.map(({ command }) => command).toSorted()).toEqual(['backup', 'check-storage', 'report']);
  });

  it('are in the status, where a failure is a problem that says what the job said', async () => {
    await expect
      .poll(async () => {
        const { problems, jobs } = (await send('GET', '/status')) as {
          problems: string[];
          jobs: { job: string; result: string; message: string }[];
        };
        return [problems.join(), jobs.map(({ job, result }) => `${job.split(' ')[0]} ${result}`).toSorted()];
      })
      .toEqual([
        expect.stringMatching(/^The job check-storage .* found differences: 1 replicas, 0 files: 1 lost/),
        ['backup done', 'check-storage found differences', 'report done'],
      ]);
  });

  it('make a catalogue of a backup that lacks nothing', async () => {
    await server.stop();
    const main = program('packaging/main.ts');
    const from = path('backups', backups().at(-1) ?? '');
    const options = { env: { ...shellEnvironment(), LOG_LEVEL: 'ERROR' } };
    await runFile(process.execPath, [main, 'load', '--from', from, '--to', path('again')], options);
    const report = [main, 'report', '--data', path('again'), '--by', 'account'];
    const { stdout } = await runFile(process.execPath, report, options);
    expect(stdout).toBe('account,files,bytes,limit_bytes\r\nroot,1,3,1000\r\n');
  });

  it('are forgotten by a server that has them no more', async () => {
    const without = await startServer({ dataDir: path('data'), port: 0, tasks: false });
    await without.close();
    expect(JSON.parse(readFileSync(path('data/jobs.json'), 'utf8'))).toEqual([]);
  });
});

describe('the time of a job', () => {
  const commands = { backup: () => [], report: () => [] };
  const at = (text: string, time: string) =>
    new Date(readJob(`${text} backup`, commands).nextAfter(new Date(time).getTime())).toString().slice(0, 21);

  it.each([
    ['02:30', '2026-11-28T02:29:59', 'Sat Nov 28 2026 02:30'],
    ['02:30', '2026-11-28T02:30:00', 'Sun Nov 29 2026 02:30'],
    ['2:30', '2026-12-31T12:00:00', 'Fri Jan 01 2027 02:30'],
    ['sun 04:00', '2026-11-28T12:00:00', 'Sun Nov 29 2026 04:00'],
    ['sun 04:00', '2026-11-29T04:00:00', 'Sun Dec 06 2026 04:00'],
    ['1 06:00', '2026-11-28T12:00:00', 'Tue Dec 01 2026 06:00'],
    ['28 06:00', '2027-01-28T06:00:00', 'Sun Feb 28 2027 06:00'],
    ['every 6h', '2026-11-28T01:00:00', 'Sat Nov 28 2026 06:00'],
  ])('%s after %s is %s', (text, time, due) => expect(at(text, time)).toBe(due));

  it.each([
    '',
    'backup',
    '25:00 backup',
    '02:60 backup',
    'xyz 02:30 backup',
    '29 02:30 backup',
    '0 02:30 backup',
    'every 0h backup',
  ])('%o is none', (text) => expect(() => readJob(text, commands)).toThrow('is no job'));

  it('is not put off by a clock that was ahead, and comes once if the server was off', () => {
    const plan = readJob('02:30 backup', commands);
    const time = (text: string) => new Date(text).getTime();
    const [lastYear, now, night, nextYear] = [
      time('2025-11-28T12:00:00'),
      time('2026-11-28T12:00:00'),
      time('2026-11-29T02:30:00'),
      time('2027-11-28T12:00:00'),
    ];
    const dueAfter = (startedAt: number | undefined) => new DueTimes([plan], () => startedAt, now).next(plan, now);
    expect(dueAfter(undefined)).toBe(night);
    expect(dueAfter(lastYear)).toBeLessThan(now);
    expect(dueAfter(nextYear)).toBe(night);
    const times = new DueTimes([plan], () => undefined, now);
    times.done(plan, nextYear);
    expect(times.next(plan, now)).toBe(night);
    expect(times.next(plan, night)).toBe(night);
  });

  it('is followed by one of the commands, with its words', () => {
    expect(() => readJob('02:30 start', commands)).toThrow("'start' is no job; those are backup, report");
    expect(readJob(`02:30 backup --to "/a b" --x='c d' e`, commands).args).toEqual(['--to', '/a b', '--x=c d', 'e']);
  });
});

describe('what a job needs is looked at before the server starts', () => {
  const start = async (...args: string[]) => {
    const settings = readSettings(['--data', path('unused'), '--port', '0', ...args]);
    const started = await startServer(settings ?? { port: 0 });
    await started.close();
  };
  const job = (text: string) => ['--job', `02:30 ${text}`];

  it.each([
    ['backup', '`--to <folder>` is missing'],
    ['backup --to /x --kepp 3', "Unknown option '--kepp'"],
    ['backup --to /x --keep none', '`--keep` takes a number'],
    ['backup --help', 'nobody to show its help'],
    ['report', '`--to <folder>` is missing'],
    ['report --to /x --by year', '`--by` is one of account, group, rse'],
    ['check-storage --folder /x', 'Name the RSE'],
    ['check-storage --rse LAB', 'Name either --folder or --listing'],
    ['check-storage --rse LAB --folder /x --min-age young', 'is no number of hours'],
    ['check-storage --rse LAB --folder /nowhere', 'there is no folder /nowhere'],
    [`check-storage --rse LAB --folder ${path('disk')}/../sendmail`, 'is no folder'],
    ['check-storage --rse LAB --listing /nowhere', 'there is no file /nowhere'],
    [`backup --to ${path('sendmail')}/a/b`, `cannot be made, since ${path('sendmail')} is no folder`],
    [`report --to ${path('sendmail')}`, 'is no folder'],
  ])('%s', async (text, reason) => {
    await expect(start(...job(text))).rejects.toThrow(`The job \`${text}\` cannot run: `);
    await expect(start(...job(text))).rejects.toThrow(reason);
    expect(existsSync(path('unused'))).toBe(false);
  });

  it.each([
    [['--webhook', 'hooks.example.org'], 'is no URL'],
    [['--webhook', 'mailto:operator@example.org'], 'is no URL'],
    [['--mail-to', 'a@example.org\nBcc: b@example.org'], 'is no address'],
    [['--mail-to', 'operator@example.org', '--sendmail', '/nowhere'], 'there is no program /nowhere'],
  ])('%o', async (args, reason) => {
    await expect(start(...job('report --to /tmp'), ...args)).rejects.toThrow(reason);
  });

  it('folders that the commands make need not be there', async () => {
    const made = ['--data', path('other'), '--job', `02:30 backup --to ${path('new/backups')}`];
    const started = await startServer({ ...readSettings(made), port: 0, tasks: false });
    await started.close();
    expect(existsSync(path('other/dapple.sqlite'))).toBe(true);
  });
});

describe('a settings file', () => {
  it('has options by their names, and the command line counts more', () => {
    writeFileSync(path('s.json'), JSON.stringify({ port: 1, 'allow-host': ['a', 'b'], browser: false, reaper: true }));
    const args = ['--settings', path('s.json'), '--port', '2'];
    expect(readSettings(args)).toMatchObject({ port: 2, hosts: ['a', 'b'], browser: false, isReaping: true });
    expect(withSettingsFile(['--port', '1'])).toEqual(['--port', '1']);
  });

  it.each([
    ['nothing', 'cannot be read'],
    ['[]', 'are to be an object'],
    ['{"port": {}}', 'have a value for port'],
    ['{"prot": 1}', 'prot'],
  ])('with %s is refused', (content, message) => {
    writeFileSync(path('bad.json'), content);
    expect(() => readSettings([`--settings=${path('bad.json')}`])).toThrow(message);
  });

  it('names jobs only for a data folder', () => {
    expect(() => readSettings(['--in-memory', '--job', '02:30 backup --to x'])).toThrow('--job needs a data folder');
  });
});
