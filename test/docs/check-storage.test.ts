import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { newStorageRse, register, states } from '../support/replicas.ts';
import { baseUrl, rootUser } from '../support/run.ts';
import { shellEnvironment } from '../support/server-process.ts';
import { asRoot, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
let folder: string;
let rse = 'LAB';
let scope: string;

/** The paths of files, in their order. */
async function pathsOf(names: readonly string[]): Promise<string[]> {
  const lfns = names.map((name) => `lfn=${scope}:${name}`).join('&');
  const pfns = (await root.get(`/rses/${rse}/lfns2pfns?${lfns}`)).json() as Record<string, string>;
  return names.map((name) => new URL(pfns[`${scope}:${name}`] ?? '').pathname);
}
const pathOf = async (name: string) => (await pathsOf([name]))[0] ?? '';
const belowFolder = (path: string) => path.slice(folder.length + 1);

/** Registers files, and writes some bytes for each. */
async function add(names: readonly string[], bytes: number | undefined): Promise<void> {
  await register(rse, scope, names);
  if (bytes !== undefined) await writeAll(names, bytes);
}

async function writeAll(names: readonly string[], bytes: number): Promise<void> {
  await Promise.all((await pathsOf(names)).map(async (path) => write(path, bytes)));
}

/** Writes a file that is two days old. */
async function write(path: string, bytes: number): Promise<void> {
  const old = new Date(Date.now() - 2 * 86_400_000);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'x'.repeat(bytes));
  await utimes(path, old, old);
}

/** Runs the program like `npm run check-storage`. */
async function check(...args: string[]): Promise<{ status: unknown; output: string[] }> {
  const { username, password } = rootUser();
  const { PATH, NODE_COMPILE_CACHE } = shellEnvironment();
  const env = { PATH, NODE_COMPILE_CACHE, RUCIO_USERNAME: username, RUCIO_PASSWORD: password };
  // The replicas were registered a moment ago, and dates have whole seconds.
  const later = new Date(Date.now() + 60_000).toISOString();
  const place = ['examples/check-storage/main.ts', '--url', await baseUrl(), '--rse', rse, '--listed-at', later];
  return new Promise((resolve) => {
    execFile(process.execPath, [...place, ...args], { env }, (error, stdout, stderr) => {
      const output = (stdout + stderr).split('\n').filter(Boolean).toSorted();
      resolve({ status: error?.code ?? 0, output });
    });
  });
}

describe('npm run check-storage', () => {
  /** An RSE whose prefix is a folder, with 20 replicas whose files are there. */
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dapple-check-'));
    [rse, scope] = [await newStorageRse({ prefix: folder }), await newScope()];
    await add(
      Array.from({ length: 20 }, (_none, index) => `f${index}`),
      10,
    );
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('finds nothing where storage and catalogue agree', async () => {
    expect(await check('--folder', folder)).toEqual({
      status: 0,
      output: ['20 replicas, 20 files: 0 lost, 0 of another size, 0 dark'],
    });
  });

  it('reports what is lost, dark or of another size, and acts on it only if asked to', async () => {
    await add(['lost'], undefined);
    await add(['short'], 7);
    await write(join(folder, 'dark', 'old'), 5);
    await writeFile(join(folder, 'dark', 'uploaded-just-now'), 'x');
    const report = [
      '22 replicas, 23 files: 1 lost, 1 of another size, 1 dark',
      'dark\tdark/old\t5 bytes',
      `lost\t${scope}:lost\t${belowFolder(await pathOf('lost'))}`,
      `size\t${scope}:short\t7 bytes instead of 10`,
    ];
    expect(await check('--folder', folder)).toEqual({ status: 1, output: report });
    expect(await states(scope, 'lost')).toEqual({ [rse]: 'AVAILABLE' });
    expect(await check('--folder', folder, '--declare-lost', '--quarantine')).toEqual({
      status: 1,
      output: [...report, '1 files in quarantine', '1 replicas declared bad'].toSorted(),
    });
    expect(await states(scope, 'lost')).toEqual({ [rse]: 'BAD' });
    expect(await states(scope, 'short')).toEqual({ [rse]: 'AVAILABLE' });
    expect((await stat(join(folder, 'dark', 'old'))).size).toBe(5);
  });

  it('reads the files if asked to, reports those of another content, and declares them bad', async () => {
    const names = Array.from({ length: 20 }, (_none, index) => `s${index}`);
    // That of ten times `x`.
    await rm(folder, { recursive: true });
    rse = await newStorageRse({ prefix: (folder = await mkdtemp(join(tmpdir(), 'dapple-check-'))) });
    await register(rse, scope, names, { adler32: '19d204b1' });
    await writeAll(names, 10);
    const all = ['--folder', folder, '--checksums'];
    expect(await check(...all)).toEqual({
      status: 0,
      output: ['20 replicas, 20 files: 0 lost, 0 of another size, 0 of another content, 0 dark'],
    });
    const path = await pathOf('s3');
    await writeFile(path, `${'x'.repeat(9)}y`);
    await writeFile(await pathOf('s4'), 'xx');
    const report = [
      '20 replicas, 20 files: 0 lost, 1 of another size, 1 of another content, 0 dark',
      `corrupt\t${scope}:s3\tadler32 19d304b2 instead of 19d204b1`,
      `size\t${scope}:s4\t2 bytes instead of 10`,
    ];
    expect(await check(...all)).toEqual({ status: 1, output: report });
    expect(await states(scope, 's3')).toEqual({ [rse]: 'AVAILABLE' });
    expect(await check(...all, '--declare-corrupt')).toEqual({
      status: 0,
      output: [...report, '2 replicas declared bad'].toSorted(),
    });
    expect(await states(scope, 's3')).toEqual({ [rse]: 'BAD' });
  });

  it('reads a listing in a file, with or without sizes', async () => {
    const names = Array.from({ length: 20 }, (_none, index) => `f${index}`);
    const paths = (await pathsOf(names)).map(belowFolder);
    const listing = join(folder, uniqueName('listing'));
    const lines = paths.slice(1).map((path, index) => (index % 2 === 0 ? `bucket/${path}` : `10\tbucket/${path}`));
    await writeFile(listing, [...lines, 'bucket/dark', ''].join('\n'));
    const place = ['--listing', listing, '--prefix', 'bucket/', '--min-age', '0'];
    // A replica that is younger than the listing is not lost, and a file is as old as its listing.
    expect(await check(...place)).toEqual({
      status: 1,
      output: ['20 replicas, 20 files: 1 lost, 0 of another size, 0 dark', `lost\t${scope}:f0\t${paths[0]}`],
    });
    expect(await check(...place, '--listed-at', '2020-01-01T00:00:00Z')).toEqual({
      status: 1,
      output: ['20 replicas, 20 files: 0 lost, 0 of another size, 1 dark', 'dark\tdark'],
    });
  });

  it('does nothing if so much is missing that the storage may not be there', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    const refused = '20 of 20 lost: nothing done, since the listing may be incomplete. --all does it all the same.';
    const { status, output } = await check('--folder', empty, '--declare-lost');
    expect([status, output.includes(refused)]).toEqual([1, true]);
    expect(await states(scope, 'f0')).toEqual({ [rse]: 'AVAILABLE' });
    // Not even by force, as long as there is no file at all.
    expect(await check('--folder', empty, '--declare-lost', '--all')).toMatchObject({ status: 1 });
    expect(await states(scope, 'f0')).toEqual({ [rse]: 'AVAILABLE' });
    await writeFile(join(empty, 'mounted'), '');
    expect(await check('--folder', empty, '--declare-lost', '--all')).toMatchObject({
      output: expect.arrayContaining(['20 replicas declared bad']),
    });
    expect(await states(scope, 'f0')).toEqual({ [rse]: 'BAD' });
  });
});

// Without a storage.
describe('npm run check-storage', () => {
  it.each([
    ['Name either --folder or --listing.', []],
    ['Name either --folder or --listing.', ['--folder', 'x', '--listing', 'y']],
    ['--listed-at x is no date', ['--folder', 'x', '--listed-at', 'x']],
    ['--checksums reads files: name their --folder.', ['--listing', 'x', '--checksums']],
    // Before the storage is read.
    ['RSENotFound', ['--folder', '/nowhere', '--rse', 'NONE']],
  ])('ends with a sentence, not a stack: %s', async (sentence, args) => {
    const { status, output } = await check(...args);
    expect([status, output.join(' ')]).toEqual([2, expect.stringContaining(sentence)]);
    expect(output.join(' ')).not.toContain('    at ');
  });

  it('explains itself', async () => {
    const { status, output } = await check('--help');
    expect([status, output.join(' ')]).toEqual([0, expect.stringContaining('--declare-lost')]);
  });
});
