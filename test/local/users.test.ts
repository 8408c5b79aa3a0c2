import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseCsv } from '../../local/users/csv.ts';
import { readUsers } from '../../local/users/wanted-users.ts';
import { program } from '../support/programs.ts';
import { type ServerProcess, shellEnvironment, startServerProcess } from '../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'dapple-users-'));
const file = join(folder, 'users.csv');
let server: ServerProcess;

async function users(...more: string[]): Promise<{ code: number; lines: string[] }> {
  const args = [program('packaging/main.ts'), 'users', '--from', file, '--url', server.url, ...more];
  const child = spawn(process.execPath, args, { env: shellEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end('secret\n');
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((done) => child.once('close', (status) => done(status ?? -1))),
  ]);
  return { code, lines: `${out}${errors}`.trim().split('\n') };
}

async function tokenOf(account: string, username: string, password: string): Promise<string | null> {
  const headers = { 'X-Rucio-Account': account, 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  return (await fetch(`${server.url}/auth/userpass`, { headers })).headers.get('X-Rucio-Auth-Token');
}

async function ask(method: string, path: string, body?: unknown): Promise<string> {
  const headers = { 'X-Rucio-Auth-Token': (await tokenOf('root', 'ddmlab', 'secret')) ?? '' };
  const init = { method, headers };
  return (
    await fetch(`${server.url}${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) })
  ).text();
}

beforeAll(async () => {
  server = await startServerProcess(['--in-memory', '--no-browser'], { PASSWORD_ROUNDS: '16', LOG_LEVEL: 'WARN' });
  await ask('POST', '/rses/LAB_DISK', {});
  await ask('POST', '/rses/LAB_S3', {});
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('users of a CSV file', () => {
  it('are only told in a dry run', async () => {
    writeFileSync(
      file,
      `account,email,password,group,quota,scopes,attributes
@optics,,,,LAB_DISK=2TB LAB_S3=1.5GB
alice,alice@example.org,,optics,,beam26,country=de
bob,bob@example.org,"of, bob",optics,LAB_DISK=-1,,
`,
    );
    const { code, lines } = await users('--dry-run');
    expect(code).toBe(0);
    expect(lines).toContain('alice: would get 2000000000000 bytes on LAB_DISK');
    expect(lines.join('\n')).not.toContain('password of');
    expect(await ask('GET', '/accounts/alice')).toContain('AccountNotFound');
  });

  it('get accounts, log-ins, groups, scopes and quotas', async () => {
    const { lines } = await users();
    expect(lines.filter((line) => line.startsWith('bob: '))).toEqual([
      'bob: account of type USER',
      'bob: log-in of bob',
      'bob: group=optics',
      'bob: scope user.bob',
      'bob: any number of bytes on LAB_DISK',
      'bob: 1500000000 bytes on LAB_S3',
    ]);
    const password = lines.map((line) => /^alice: password of alice: (\S{16})$/.exec(line)?.[1]).find(Boolean) ?? '';
    expect(await tokenOf('alice', 'alice', password)).not.toBeNull();
    expect(await tokenOf('bob', 'bob', 'of, bob')).not.toBeNull();
    expect(JSON.parse(await ask('GET', '/accounts/alice/limits/local'))).toEqual({ LAB_DISK: 2e12, LAB_S3: 1.5e9 });
    expect(JSON.parse(await ask('GET', '/accounts/alice/scopes/'))).toEqual(['beam26', 'user.alice']);
    expect(JSON.parse(await ask('GET', '/accounts/alice/attr/'))).toEqual([
      { key: 'country', value: 'de' },
      { key: 'group', value: 'optics' },
    ]);
  });

  it('are made once, and follow what changes in the file', async () => {
    expect((await users()).lines).toEqual(['alice: nothing to do', 'bob: nothing to do']);
    writeFileSync(file, 'account;email;group;quota\nalice;a@example.org;lasers;LAB_S3=3GB\nbob;;;\n');
    expect((await users()).lines).toEqual([
      'alice: address a@example.org',
      'alice: not group=optics',
      'alice: group=lasers',
      'alice: 3000000000 bytes on LAB_S3',
      'bob: nothing to do',
    ]);
  });

  it('may be applied with the password from a file', async () => {
    const secret = join(folder, 'password');
    writeFileSync(secret, 'secret\n');
    const stdin = openSync(secret, 'r');
    const args = [program('packaging/main.ts'), 'users', '--from', file, '--url', server.url];
    const child = spawn(process.execPath, args, { env: shellEnvironment(), stdio: [stdin, 'pipe', 'inherit'] });
    const [lines] = await Promise.all([text(child.stdout ?? Readable.from([])), once(child, 'close')]);
    closeSync(stdin);
    expect(lines).toBe('alice: nothing to do\nbob: nothing to do\n');
  });

  it('change nothing at all if a row cannot be done', async () => {
    writeFileSync(file, 'account,quota\ncarol,\ndave,NO_DISK=1TB\n');
    expect(await users()).toEqual({ code: 1, lines: ['dave: there is no RSE NO_DISK.'] });
    expect(await ask('GET', '/accounts/carol')).toContain('AccountNotFound');
  });
});

describe('a file of users', () => {
  it.each([
    ['name\nalice', 'account among them'],
    ['account,colour\nalice,red', 'not colour'],
    ['account\nalice,x', 'more fields than columns'],
    ['account,email\n,x', 'has no account'],
    ['account\nalice\nalice', 'has two rows'],
    ['account,quota\nalice,LAB_DISK', 'no name=value'],
    ['account,quota\nalice,LAB_DISK=1XB', 'no size'],
    ['account,quota\nalice,LAB_DISK=-2', 'no size'],
    ['account\n"alice', 'Line 2: a quote has no end'],
  ])('%j is refused', (content, message) => expect(() => readUsers(content)).toThrow(message));

  it('has quotes where they are needed, and the ends of lines of any system', () => {
    expect(parseCsv('\uFEFFa,b\r\n"x ""y"", z" , 2\r\n\r\n,\r\n3,"line\n2"')).toEqual([
      ['a', 'b'],
      ['x "y", z', '2'],
      ['3', 'line\n2'],
    ]);
  });
});
