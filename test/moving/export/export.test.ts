import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compareServers } from '../../../moving/compare/compare.ts';
import { Report } from '../../../moving/compare/report.ts';
import { openSession } from '../../../moving/compare/session.ts';
import type { Manifest } from '../../../moving/export/manifest.ts';
import { runProcess } from '../../support/run-program.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { users } from '../seed/catalogue.ts';
import { makeSeededFolder, rootCredentials as root } from '../seed/seeded-folder.ts';
import { pathOf, run } from './programs.ts';

let folder: string;
let data: string;
let exported: string;
/** A server on the data, once a test needs one. */
let running: Promise<ServerProcess> | undefined;
const runServer = () => (running ??= startServerProcess(['--data', data, '--threads', '0']));

// A catalogue with everything in it, in the data folder of a server that has ended.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-export-test-'));
  data = join(folder, 'data');
  exported = join(folder, 'exported');
  await makeSeededFolder(data);
  const server = await startServerProcess(['--data', data, '--threads', '0']);
  const session = openSession({ url: server.url, credentials: root });
  const more = [
    [
      'POST',
      '/replicas/quarantine',
      { rse: 'MV-DISK-0', replicas: [{ path: '/dark/file', scope: 'mv.odd', name: 'dark' }] },
    ],
    ['POST', '/replicas/suspicious', { pfns: ['davs://dav5.example.org:443/moving/any/where/1.root'], reason: 'slow' }],
    ['PUT', '/requests/transfer_limits', { rse_expression: 'MV-TAPE', max_transfers: 3 }],
    ['POST', '/opendata/dids/mv.odd/dated.dataset', {}],
    ['POST', '/dids/mv.odd/dated.dataset/follow', { account: 'root' }],
    ['DELETE', '/dids/mv.odd/a.container/dids', { dids: [{ scope: 'mv.odd', name: 'rules.ok' }] }],
    ['POST', '/dids/mv.odd/dated.dataset/meta', { meta: { $set: ['x'], $odd: { $bytes: 'y' }, huge: 2n ** 70n } }],
  ] as const;
  for (const [method, path, body] of more) {
    const { status, text } = await session.call(method, path, body);
    expect(`${status} ${text}`).toMatch(/^20/);
  }
  await server.stop();
  expect(await runProcess(pathOf('export'), ['--from', data, '--to', exported])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d+ items in \d+ files, \d+ bytes\.\n$/),
  });
});

afterAll(async () => {
  await (await running)?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The files of an export by name. */
function contentOf(path: string): Record<string, string> {
  return Object.fromEntries(readdirSync(path).map((file) => [file, readFileSync(join(path, file), 'utf8')]));
}

const manifestOf = (path: string) => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as Manifest;

describe('npm run export, npm run load', () => {
  it('exports, loads and exports again: equal byte by byte', async () => {
    const [loaded, again] = [join(folder, 'loaded'), join(folder, 'again')];
    expect(await runProcess(pathOf('load'), ['--from', exported, '--to', loaded])).toMatchObject({ code: 0 });
    expect(await run('export', ['--from', loaded, '--to', again])).toMatchObject({ code: 0 });
    expect(contentOf(again)).toEqual(contentOf(exported));
  });

  it('makes a catalogue that a server shows as the first one, and that users log in to with their passwords', async () => {
    const loaded = join(folder, 'served');
    await run('load', ['--from', exported, '--to', loaded]);
    const first = await runServer();
    const served = await startServerProcess(['--data', loaded, '--threads', '0']);
    try {
      const [left, right] = [first, served].map(({ url }) => openSession({ url, credentials: root }));
      const lines: string[] = [];
      const report = new Report({ json: false, decided: true, write: (line) => lines.push(line) });
      const all = { only: [], scopes: [], isChosen: () => true, parallel: 4, onProgress: () => undefined };
      await compareServers({ left: left!, right: right!, ...all }, report);
      expect(`${report.end()}\n${lines.join('\n')}`).toMatch(/^0\n/);
      const alice = { username: 'mvalice', password: users.mvalice, account: 'mvalice' };
      const session = openSession({ url: served.url, credentials: alice });
      expect(await session.json('/accounts/whoami')).toMatchObject({ account: 'mvalice' });
      // The exported catalogue goes on: changes, and their reactions.
      const { status } = await right!.call('PUT', '/dids/mv.odd/rules.ok/status', { open: false });
      expect(status).toBe(200);
    } finally {
      await served.stop();
    }
  });

  it('exports a catalogue while a server runs on it, and changes nothing in its folder', async () => {
    await runServer();
    const to = join(folder, 'running');
    expect(await run('export', ['--from', data, '--to', to])).toMatchObject({ code: 0 });
    expect(contentOf(to)['scopes.jsonl']).toBe(contentOf(exported)['scopes.jsonl']);
    expect(contentOf(to)['attachments.jsonl']).toBe(contentOf(exported)['attachments.jsonl']);
  });

  it('knows every kind of item, tells keys in words, and lists all files with their counts and checksums', () => {
    const { files } = manifestOf(exported);
    const kinds = files.map(({ kind }) => kind);
    expect(contentOf(exported)['other.jsonl']).toBeUndefined();
    expect(kinds).not.toContain('other');
    const told = [
      'accounts',
      'dids',
      'attachments',
      'past-attachments',
      'rules',
      'subscriptions',
      'rse-paths',
      'identities',
    ];
    expect(kinds).toEqual(expect.arrayContaining(told));
    const dids = contentOf(exported)['dids.jsonl']?.trimEnd().split('\n') ?? [];
    expect(dids).toHaveLength(files.find(({ kind }) => kind === 'dids')?.records ?? 0);
    expect(dids.map((line) => (JSON.parse(line) as { key: unknown }).key)).toContainEqual({
      scope: 'mv.odd',
      name: 'states/file.1',
    });
    expect(readdirSync(exported).toSorted()).toEqual(['manifest.json', ...files.map(({ file }) => file)].toSorted());
    // Stamps of bulk requests are no content.
    expect(Object.values(contentOf(exported)).join('')).not.toMatch(/"(batch|writeId|gone)":/);
  });

  it('lets nobody else read the files, and leaves hashes of passwords out on request', async () => {
    const files = readdirSync(exported).map((file) => statSync(join(exported, file)).mode & 0o777);
    expect(new Set(files)).toEqual(new Set([0o600]));
    expect(contentOf(exported)['identities.jsonl']).toContain('"password":"scrypt$');
    const open = join(folder, 'without-passwords');
    await run('export', ['--from', data, '--to', open, '--without-passwords']);
    expect(contentOf(open)['identities.jsonl']).not.toContain('password');
    expect(manifestOf(open).passwords).toBe(false);
    const loaded = join(folder, 'nobody-logs-in');
    expect(await run('load', ['--from', open, '--to', loaded])).toMatchObject({ code: 0 });
    const server = await startServerProcess(['--data', loaded, '--threads', '0']);
    const session = openSession({
      url: server.url,
      credentials: { username: 'mvbob', password: users.mvbob, account: 'mvbob' },
    });
    await expect(session.json('/accounts/whoami')).rejects.toThrow('mvbob cannot log in: 401');
    await server.stop();
  });

  it('refuses a damaged or unfinished export before it writes anything', async () => {
    const copy = join(folder, 'copy');
    await run('export', ['--from', data, '--to', copy]);
    const target = join(folder, 'never');
    appendFileSync(join(copy, 'dids.jsonl'), '{}\n');
    expect(await run('load', ['--from', copy, '--to', target])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^The file \S+dids.jsonl is not the one that was exported/),
    });
    rmSync(join(copy, 'dids.jsonl'));
    expect(await run('load', ['--from', copy, '--to', target])).toMatchObject({
      code: 1,
      output: expect.stringContaining('cannot be read'),
    });
    rmSync(join(copy, 'manifest.json'));
    expect(await run('load', ['--from', copy, '--to', target])).toMatchObject({
      code: 1,
      output: expect.stringContaining('holds no complete export'),
    });
    expect(existsSync(target)).toBe(false);
  });

  it('overwrites neither a folder with files nor a catalogue', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    expect(await run('export', ['--from', data, '--to', folder])).toMatchObject({
      code: 1,
      output: expect.stringContaining('is not empty'),
    });
    expect(await run('load', ['--from', exported, '--to', data])).toMatchObject({
      code: 1,
      output: expect.stringContaining('exists'),
    });
  });

  it('says what it needs', async () => {
    expect(await run('export', ['--from', join(folder, 'nowhere'), '--to', join(folder, 'x')])).toMatchObject({
      code: 1,
      output: expect.stringContaining('holds no catalogue'),
    });
    expect(await run('export', [])).toEqual({ code: 1, output: '`--to <folder>` is missing.\n' });
    expect(await runProcess(pathOf('load'), [])).toEqual({ code: 1, output: '`--from <folder>` is missing.\n' });
    for (const program of ['export', 'load'] as const) expect((await run(program, ['--help'])).code).toBe(0);
  });
});
