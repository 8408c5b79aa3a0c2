import { createHash } from 'node:crypto';
import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Adler32 } from '../../lib/movers/adler32.ts';
import { partName } from '../../lib/movers/leftovers.ts';
import { type CopyJob, type CopyPlace, LeaseOver } from '../../lib/movers/mover.ts';
import { PosixMover } from '../../lib/movers/posix/posix-mover.ts';

let folder: string;
let mover: PosixMover;
const never = new AbortController().signal;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'dapple-posix-')));
  mover = new PosixMover([join(folder, 'storage')]);
  await put('storage/one/a/b/f', 'hello');
  await mkdir(join(folder, 'storage/two'));
});

afterEach(() => rm(folder, { recursive: true }));

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const place = (prefix: string, path: string): CopyPlace => ({
  rse: { id: prefix, rse: prefix, attributes: {} },
  pfn: `file://localhost${path}`,
  prefix: `${join(folder, prefix)}/`,
});

const adlerOf = (content: string | Buffer) => {
  const sum = new Adler32();
  sum.update(Buffer.from(content));
  return sum.digest();
};

const jobOf = (more: Partial<CopyJob> = {}): CopyJob => ({
  id: 'lease1',
  source: place('storage/one', `${folder}/storage/one/a/b/f`),
  destination: place('storage/two', `${folder}/storage/two/c/d/f`),
  bytes: 5,
  adler32: adlerOf('hello'),
  replaces: false,
  requireLease: () => {},
  ...more,
});

/** All files below the folder, but the source, with their contents. */
async function written(): Promise<Record<string, string>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const entries = files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const);
  return Object.fromEntries((await Promise.all(entries)).filter(([path]) => path !== 'storage/one/a/b/f'));
}

describe('a copy between folders', () => {
  it.each([false, true])('puts nothing under the name once its lease is over (replaces: %s)', async (replaces) => {
    const target = join(folder, 'storage/two/c/d/f');
    if (replaces) {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, 'rotten');
    }
    const before = await written();
    const over = jobOf({
      replaces,
      requireLease: () => {
        throw new LeaseOver();
      },
    });
    await expect(mover.copy(over, never)).rejects.toThrow(LeaseOver);
    expect(await written()).toEqual(before);
  });

  it('has the content of its source, and tells size and checksums', async () => {
    const md5 = createHash('md5').update('hello').digest('hex');
    expect(await mover.copy(jobOf({ md5 }), never)).toEqual({ bytes: 5, adler32: '062c0215', md5 });
    expect(await written()).toEqual({ 'storage/two/c/d/f': 'hello' });
  });

  it('is exact for files of several chunks, and for empty ones', async () => {
    const large = Buffer.alloc(3_500_000, 'abcdefg');
    for (const content of [large, Buffer.alloc(0)]) {
      await put('storage/one/g', content);
      const source = place('storage/one', `${folder}/storage/one/g`);
      const destination = place('storage/two', `${folder}/storage/two/g${content.length}`);
      const { bytes } = await mover.copy(
        jobOf({ source, destination, bytes: content.length, adler32: adlerOf(content) }),
        never,
      );
      expect(bytes).toBe(content.length);
      expect(crc32(await readFile(`${folder}/storage/two/g${content.length}`))).toBe(crc32(content));
    }
  });

  it.each([
    ['size', { bytes: 6 }],
    ['Adler-32', { adler32: '00000001' }],
    ['MD5', { md5: '0'.repeat(32) }],
  ])('leaves nothing if the source has another %s than the catalogue', async (_what, more) => {
    await expect(mover.copy(jobOf(more), never)).rejects.toThrow(/The copy has/);
    expect(await written()).toEqual({});
  });

  it('leaves nothing if the source is missing, or the copy is aborted', async () => {
    const source = place('storage/one', `${folder}/storage/one/a/b/none`);
    await expect(mover.copy(jobOf({ source }), never)).rejects.toThrow(/ENOENT/);
    await expect(mover.copy(jobOf(), AbortSignal.abort())).rejects.toThrow(/abort/);
    expect(await written()).toEqual({});
  });

  it.each([false, true])(
    'removes what a killed attempt has left of it, and nothing else (complete: %s)',
    async (isThere) => {
      const target = join(folder, 'storage/two/c/d/f');
      const of = (path: string) => `storage/two/c/d/${partName(path, 'lease0')}`;
      if (isThere) await put('storage/two/c/d/f', 'hello');
      await put(of(target), 'hel');
      await put(of(`${target}2`), 'of another file');
      // A folder of such a name is in nobody's way.
      await mkdir(join(folder, of(target).replace('lease0', 'lease00')));
      await mover.copy(jobOf(), never);
      expect(await written()).toEqual({ 'storage/two/c/d/f': 'hello', [of(`${target}2`)]: 'of another file' });
    },
  );

  it('that is there already is accepted, however often it is made', async () => {
    await mover.copy(jobOf(), never);
    expect(await mover.copy(jobOf({ id: 'lease2' }), never)).toMatchObject({ bytes: 5 });
    const both = await Promise.all(
      [1, 2].map((id) =>
        mover
          .copy(jobOf({ id: `lease${id}`, destination: place('storage/two', `${folder}/storage/two/g`) }), never)
          .catch(String),
      ),
    );
    expect(both).toContainEqual(expect.objectContaining({ bytes: 5 }));
    expect(await written()).toEqual({ 'storage/two/c/d/f': 'hello', 'storage/two/g': 'hello' });
  });

  it('never replaces another file, unless that is known to be bad', async () => {
    await put('storage/two/c/d/f', 'precious');
    await expect(mover.copy(jobOf(), never)).rejects.toThrow(/exists and is another file/);
    expect(await written()).toEqual({ 'storage/two/c/d/f': 'precious' });
    await mover.copy(jobOf({ replaces: true }), never);
    expect(await written()).toEqual({ 'storage/two/c/d/f': 'hello' });
  });
});

describe('a copy of a file without known checksums', () => {
  const unknown = { adler32: undefined, md5: undefined };

  it('is none of a file of the same size: neither of a stray one, nor of the bad one that a recovery replaces', async () => {
    await put('storage/two/c/d/f', 'HELLO');
    await expect(mover.copy(jobOf(unknown), never)).rejects.toThrow(/exists and is another file/);
    expect(await written()).toEqual({ 'storage/two/c/d/f': 'HELLO' });
    await mover.copy(jobOf({ ...unknown, replaces: true }), never);
    expect(await written()).toEqual({ 'storage/two/c/d/f': 'hello' });
    // The copy of an earlier attempt counts.
    await mover.copy(jobOf(unknown), never);
  });

  it('is no copy, if both names are those of one file', async () => {
    const again = {
      ...place('storage/one', `${folder}/storage/one/a/b/f`),
      rse: { id: '2', rse: 'two', attributes: {} },
    };
    await expect(mover.copy(jobOf({ destination: again }), never)).rejects.toThrow('the same file as its source');
    await mkdir(join(folder, 'storage/two/c'), { recursive: true });
    await link(join(folder, 'storage/one/a/b/f'), join(folder, 'storage/two/c/linked'));
    const linked = place('storage/two', `${folder}/storage/two/c/linked`);
    for (const replaces of [false, true]) {
      const copy = mover.copy(jobOf({ destination: linked, replaces }), never);
      await expect(copy).rejects.toThrow('the same file as its source');
    }
  });
});

describe('a path is refused', () => {
  const outside = () => `${folder}/elsewhere/f`;

  it.each<[string, () => CopyPlace | Promise<CopyPlace>]>([
    ['outside of the prefix', () => place('storage/two', outside())],
    ['that climbs out of the prefix', () => place('storage/two', `${folder}/storage/two/../../elsewhere/f`)],
    ['with dots inside', () => place('storage/two', `${folder}/storage/two/./f`)],
    ['that only begins like the prefix', () => place('storage/two', `${folder}/storage/two-b/f`)],
    ['that is a folder', () => place('storage/two', `${folder}/storage/two/`)],
    ['of another scheme', () => ({ ...place('storage/two', ''), pfn: `https://h${folder}/storage/two/f` })],
    ['without a path', () => ({ ...place('storage/two', ''), pfn: 'file://localhost' })],
    ['with a prefix that is not in the folders of the server', () => place('elsewhere', outside())],
    ['with the prefix /', () => ({ ...place('', outside()), prefix: '/' })],
    [
      'through a symbolic link to a folder',
      async () => {
        await mkdir(join(folder, 'elsewhere'));
        await symlink(join(folder, 'elsewhere'), join(folder, 'storage/two/link'));
        return place('storage/two', `${folder}/storage/two/link/f`);
      },
    ],
    [
      'through a symbolic link above missing folders',
      async () => {
        await mkdir(join(folder, 'elsewhere'));
        await symlink(join(folder, 'elsewhere'), join(folder, 'storage/two/link'));
        return place('storage/two', `${folder}/storage/two/link/g/h/f`);
      },
    ],
    [
      'that is itself a symbolic link',
      async () => {
        await symlink(outside(), join(folder, 'storage/two/f'));
        return place('storage/two', `${folder}/storage/two/f`);
      },
    ],
    [
      'with a prefix that is a symbolic link to somewhere else',
      async () => {
        await mkdir(join(folder, 'elsewhere'));
        await symlink(join(folder, 'elsewhere'), join(folder, 'storage/three'));
        return place('storage/three', `${folder}/storage/three/f`);
      },
    ],
  ])('%s', async (_what, makePlace) => {
    const bad = await makePlace();
    const before = await written();
    await expect(mover.copy(jobOf({ destination: bad }), never)).rejects.toThrow();
    await put('elsewhere/f', 'hello');
    await expect(mover.copy(jobOf({ source: bad }), never)).rejects.toThrow();
    expect(await written()).toEqual({ ...before, 'elsewhere/f': 'hello' });
  });

  it('of a pipe, which would never end', async () => {
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(folder, 'storage/one/pipe')]);
    const source = place('storage/one', `${folder}/storage/one/pipe`);
    await expect(mover.copy(jobOf({ source }), never)).rejects.toThrow(/no ordinary file/);
  });
});

describe('Adler-32', () => {
  it('is the same however the bytes are divided', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000, minLength: 1 }), fc.nat(), (bytes, cut) => {
        const sum = new Adler32();
        sum.update(bytes.subarray(0, cut % bytes.length));
        sum.update(bytes.subarray(cut % bytes.length));
        expect(sum.digest()).toBe(adlerOf(Buffer.from(bytes)));
      }),
    );
    expect(adlerOf(Buffer.alloc(1_000_000, 255))).toBe('3843e1be');
    expect(adlerOf('Wikipedia')).toBe('11e60398');
  });
});
