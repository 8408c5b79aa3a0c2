import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { StorageRefusal } from '../../lib/movers/deletion.ts';
import { makePosixDeleter } from '../../lib/movers/posix/deleter.ts';

let folder: string;

/** A storage beside files that are not part of it. */
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'dapple-posix-')));
  await mkdir(join(folder, 'rse', 'data', 'ab'), { recursive: true });
  await mkdir(join(folder, 'rse-2'));
  for (const path of ['rse/data/ab/f', 'rse/data/ab/g', 'rse-2/f', 'outside'])
    await writeFile(join(folder, path), path);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const yes = async () => true;
const remove = async (path: string) =>
  (await makePosixDeleter(join(folder, 'rse'), [folder]).delete(path, yes)).outcome;
const everything = async () => (await readdir(folder, { recursive: true })).toSorted();

describe('the deletion of a file on this machine', () => {
  it('deletes the file and nothing else', async () => {
    const before = await everything();
    expect(await remove('data/ab/f')).toBe('deleted');
    expect(await everything()).toEqual(before.filter((path) => path !== 'rse/data/ab/f'));
  });

  it('says that a file is absent, also where its folder is missing or is a file', async () => {
    for (const path of ['data/ab/none', 'none/ab/f', 'data/ab/f/none']) expect(await remove(path)).toBe('absent');
  });

  it('does not leave the folder of the RSE', async () => {
    const before = await everything();
    const unsafe = [
      '../outside',
      'data/../../outside',
      '../rse-2/f',
      '',
      '/',
      '.',
      './data/ab/f',
      'data/\0',
      'data/ab/f/',
    ];
    for (const path of [...unsafe, 'data/ab/%2e%2e/ab/f', 'data%2f..%2fdata/ab/f', 'data/%252e%252e/x'])
      await expect(remove(path), path).rejects.toThrow(/^nothing is deleted at the path /);
    expect(await everything()).toEqual(before);
  });

  it('follows no symbolic link out of the folder, and deletes a link in place of the file it points to', async () => {
    await symlink(folder, join(folder, 'rse', 'up'));
    await symlink(join(folder, 'outside'), join(folder, 'rse', 'data', 'link'));
    await expect(remove('up/outside')).rejects.toThrow('leaves its folder by a link');
    expect(await remove('data/link')).toBe('deleted');
    expect(await everything()).toContain('outside');
    expect(await everything()).not.toContain('rse/data/link');
  });

  it('accepts a folder that is itself behind a link', async () => {
    await symlink(join(folder, 'rse'), join(folder, 'mount'));
    expect(await makePosixDeleter(join(folder, 'mount'), [folder]).delete('data/ab/f', yes)).toEqual({
      outcome: 'deleted',
      bytes: 13,
    });
  });

  it('refuses if the prefix is not below a folder that was named, or leads out of it by a link', async () => {
    await mkdir(join(folder, 'storage'));
    await symlink(join(folder, 'rse'), join(folder, 'storage', 'link'));
    for (const [prefix, folders] of [
      [join(folder, 'rse'), []],
      [join(folder, 'rse'), [join(folder, 'storage'), join(folder, 'rse-2')]],
      [join(folder, 'rse-2'), [join(folder, 'rse')]],
      [join(folder, 'storage', 'link'), [join(folder, 'storage')]],
    ] as const) {
      const deletion = makePosixDeleter(prefix, folders).delete('data/ab/f', yes);
      await expect(deletion, prefix).rejects.toThrow(/not below a folder that this process may use/);
      await expect(deletion).rejects.toBeInstanceOf(StorageRefusal);
    }
    expect(await everything()).toContain('rse/data/ab/f');
  });

  it('keeps a file that is not to be deleted any more: it asks directly before it deletes', async () => {
    const asked: string[] = [];
    const confirm = async () => (asked.push('?'), false);
    expect(await makePosixDeleter(join(folder, 'rse'), [folder]).delete('data/ab/f', confirm)).toEqual({
      outcome: 'kept',
    });
    expect([asked, (await everything()).includes('rse/data/ab/f')]).toEqual([['?'], true]);
  });

  it('deletes no folder', async () => {
    await expect(remove('data/ab')).rejects.toThrow('is a folder');
    expect(await everything()).toContain('rse/data/ab');
  });

  it('refuses if the storage may not be mounted: its folder is missing or empty, or is the root of the file system', async () => {
    await mkdir(join(folder, 'empty'));
    for (const prefix of [join(folder, 'empty'), join(folder, 'none'), join(folder, 'outside'), '/'])
      await expect(makePosixDeleter(prefix, ['/']).delete('data/ab/f', yes), prefix).rejects.toThrow(StorageRefusal);
  });
});
