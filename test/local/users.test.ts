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
import { baseUrl, rootUser } from '../support/run.ts';
import { shellEnvironment } from '../support/server-process.ts';
import { asRoot, uniqueName } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'dapple-users-'));
const file = join(folder, 'users.csv');
const [alice, bob] = [uniqueName('alice'), uniqueName('bob')];
const [carol, dave] = [uniqueName('carol'), uniqueName('dave')];
const [disk, s3] = [uniqueName('DISK').toUpperCase(), uniqueName('S3').toUpperCase()];
const beam = uniqueName('beam');

async function users(...more: string[]): Promise<{ code: number; lines: string[] }> {
  const args = [program('packaging/main.ts'), 'users', '--from', file, '--url', await baseUrl(), ...more];
  const child = spawn(process.execPath, args, { env: shellEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(`${rootUser().password}\n`);
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((done) => child.once('close', (status) => done(status ?? -1))),
  ]);
  return { code, lines: `${out}${errors}`.trim().split('\n') };
}

async function tokenOf(account: string, username: string, password: string): Promise<string | null> {
  const headers = { 'X-Rucio-Account': account, 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  return (await fetch(`${await baseUrl()}/auth/userpass`, { headers })).headers.get('X-Rucio-Auth-Token');
}

const root = asRoot();
const ask = async (path: string) => (await root.get(path)).text;

beforeAll(async () => {
  for (const rse of [disk, s3]) expect((await root.post(`/rses/${rse}`, {})).status).toBe(201);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('users of a CSV file', () => {
  it('are only told in a dry run', async () => {
    writeFileSync(
      file,
      `account,email,password,group,quota,scopes,attributes
@optics,,,,${disk}=2TB ${s3}=1.5GB
${alice},alice@example.org,,optics,,${beam},country=de
${bob},bob@example.org,"of, bob",optics,${disk}=-1,,
`,
    );
    const { code, lines } = await users('--dry-run');
    expect(code).toBe(0);
    expect(lines).toContain(`${alice}: would get 2000000000000 bytes on ${disk}`);
    expect(lines.join('\n')).not.toContain('password of');
    expect(await ask(`/accounts/${alice}`)).toContain('AccountNotFound');
  });

  it('get accounts, log-ins, groups, scopes and quotas', async () => {
    const { lines } = await users();
    expect(lines.filter((line) => line.startsWith(`${bob}: `))).toEqual([
      `${bob}: account of type USER`,
      `${bob}: log-in of ${bob}`,
      `${bob}: group=optics`,
      `${bob}: scope user.${bob}`,
      `${bob}: any number of bytes on ${disk}`,
      `${bob}: 1500000000 bytes on ${s3}`,
    ]);
    const told = lines.map((line) => /^(\S+): password of \1: (\S{16})$/.exec(line));
    const password = told.find((found) => found?.[1] === alice)?.[2] ?? '';
    expect(await tokenOf(alice, alice, password)).not.toBeNull();
    expect(await tokenOf(bob, bob, 'of, bob')).not.toBeNull();
    expect(JSON.parse(await ask(`/accounts/${alice}/limits/local`))).toEqual({ [disk]: 2e12, [s3]: 1.5e9 });
    expect(JSON.parse(await ask(`/accounts/${alice}/scopes/`))).toEqual([beam, `user.${alice}`]);
    expect(JSON.parse(await ask(`/accounts/${alice}/attr/`))).toEqual([
      { key: 'country', value: 'de' },
      { key: 'group', value: 'optics' },
    ]);
  });

  it('are made once, and follow what changes in the file', async () => {
    expect((await users()).lines).toEqual([`${alice}: nothing to do`, `${bob}: nothing to do`]);
    writeFileSync(file, `account;email;group;quota\n${alice};a@example.org;lasers;${s3}=3GB\n${bob};;;\n`);
    expect((await users()).lines).toEqual([
      `${alice}: address a@example.org`,
      `${alice}: not group=optics`,
      `${alice}: group=lasers`,
      `${alice}: 3000000000 bytes on ${s3}`,
      `${bob}: nothing to do`,
    ]);
  });

  it('may be applied with the password from a file', async () => {
    const secret = join(folder, 'password');
    writeFileSync(secret, `${rootUser().password}\n`);
    const stdin = openSync(secret, 'r');
    const args = [program('packaging/main.ts'), 'users', '--from', file, '--url', await baseUrl()];
    const child = spawn(process.execPath, args, { env: shellEnvironment(), stdio: [stdin, 'pipe', 'inherit'] });
    const [lines] = await Promise.all([text(child.stdout ?? Readable.from([])), once(child, 'close')]);
    closeSync(stdin);
    expect(lines).toBe(`${alice}: nothing to do\n${bob}: nothing to do\n`);
  });

  it('change nothing at all if a row cannot be done', async () => {
    writeFileSync(file, `account,quota\n${carol},\n${dave},NO_DISK=1TB\n`);
    expect(await users()).toEqual({ code: 1, lines: [`${dave}: there is no RSE NO_DISK.`] });
    expect(await ask(`/accounts/${carol}`)).toContain('AccountNotFound');
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
