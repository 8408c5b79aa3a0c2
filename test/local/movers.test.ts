import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  addStorage,
  type Laptop,
  pathOf,
  pfnOf,
  register,
  startLaptop,
  stateOf,
  upload,
  want,
} from '../support/laptop.ts';
import { startS3Service } from '../support/s3-service.ts';
import { startWebdavService } from '../support/webdav-service.ts';

const startTimeoutMs = 60_000;
/** Within this time a server with tasks copies a file. */
const idleMs = 1_500;
/** Movers report every two seconds. */
const pollSlowly = { timeout: 10_000 };
let folder: string;
const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dapple-movers-')));
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** A server with its data in the folder, and how to ask it as root. */
async function open(
  options: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<Laptop['ask']> {
  const { server, ask } = await startLaptop(['--data', folder, ...options], environment);
  ends.push(() => server.kill());
  return ask;
}

/** A new server with a scope. */
async function start(threads: number, environment?: Readonly<Record<string, string>>): Promise<Laptop['ask']> {
  const ask = await open(['--threads', String(threads)], environment);
  await ask('POST', '/scopes/root/data');
  return ask;
}

describe('npm start', () => {
  it.each([0, 1])(
    'copies what rules ask for to RSEs with the attribute mover=posix, with %i threads',
    async (threads) => {
      const ask = await start(threads);
      await addStorage(ask, 'ONE', join(folder, 'storage/one'));
      await addStorage(ask, 'TWO', join(folder, 'storage/two'));
      await ask('POST', '/rses/TWO/attr/mover', { value: 'posix' });
      await upload(ask, 'ONE', 'good', 'hello', '062c0215');
      const rule = await want(ask, 'good', 'TWO');
      await expect.poll(() => stateOf(ask, rule)).toBe('OK');
      expect(readFileSync(pathOf(await pfnOf(ask, 'TWO', 'good')), 'utf8')).toBe('hello');

      await upload(ask, 'ONE', 'spoilt', 'hallo', '062c0215');
      await want(ask, 'spoilt', 'TWO');
      await expect
        .poll(() => ask('GET', '/requests/data/spoilt/TWO'))
        .toMatchObject({ retry_count: 1, err_msg: expect.stringContaining('adler32') });
    },
    startTimeoutMs,
  );

  it(
    'does nothing by itself with --no-tasks, until it is started without',
    async () => {
      const idle = await open(['--threads', '0', '--no-tasks']);
      await idle('POST', '/scopes/root/data');
      await addStorage(idle, 'ONE', join(folder, 'storage/one'));
      await addStorage(idle, 'TWO', join(folder, 'storage/two'));
      await idle('POST', '/rses/TWO/attr/mover', { value: 'posix' });
      await upload(idle, 'ONE', 'f', 'hello', '062c0215');
      const rule = await want(idle, 'f', 'TWO');
      await sleep(idleMs);
      expect(await stateOf(idle, rule)).toBe('REPLICATING');
      expect(await idle('GET', '/requests/data/f/TWO')).toMatchObject({ state: 'QUEUED', retry_count: 0 });
      await ends.pop()?.();
      const busy = await open(['--threads', '0']);
      await expect.poll(() => stateOf(busy, rule)).toBe('OK');
    },
    startTimeoutMs,
  );

  it(
    'copies nothing outside of its storage folder, nor to RSEs without the attribute',
    async () => {
      const ask = await start(0);
      await addStorage(ask, 'ONE', join(folder, 'storage/one'));
      await addStorage(ask, 'OUTSIDE', join(folder, 'elsewhere'));
      await addStorage(ask, 'MANUAL', join(folder, 'storage/manual'));
      await ask('POST', '/rses/OUTSIDE/attr/mover', { value: 'posix' });
      await upload(ask, 'ONE', 'f', 'hello', '062c0215');
      await want(ask, 'f', 'MANUAL');
      const outside = await want(ask, 'f', 'OUTSIDE');
      await expect
        .poll(() => ask('GET', `/rules/${outside}`), pollSlowly)
        .toMatchObject({ state: 'STUCK', error: expect.stringContaining('not below a folder') });
      expect(await ask('GET', '/requests/data/f/OUTSIDE')).toMatchObject({ state: 'MISMATCH_SCHEME', retry_count: 0 });
      expect(await ask('GET', '/requests/data/f/MANUAL')).toMatchObject({ state: 'QUEUED', retry_count: 0 });
    },
    startTimeoutMs,
  );

  it(
    'lets S3 services and WebDAV servers copy, with the credentials of the RSEs, and says what none of them can',
    async () => {
      const [s3, dav] = [await startS3Service(), await startWebdavService({ token: 'secret' })];
      ends.push(
        () => s3.close(),
        () => dav.close(),
      );
      const credentials = join(folder, 'credentials.json');
      const keys = { access_key: 'AKID', secret_key: 'secret' };
      writeFileSync(
        credentials,
        JSON.stringify({ S3_TWO: keys, DAV_ONE: { auth_token: 'secret' }, DAV_TWO: { auth_token: 'secret' } }),
      );
      const ask = await start(0, { RSE_CREDENTIALS_FILE: credentials });
      for (const name of ['ONE', 'TWO']) {
        await addStorage(ask, `S3_${name}`, `/${name.toLowerCase()}`, new URL(s3.origin));
        await ask('POST', `/rses/S3_${name}/attr/sign_url`, { value: 's3' });
        await addStorage(ask, `DAV_${name}`, `/store/${name.toLowerCase()}`, new URL(dav.origin));
      }
      await ask('POST', '/rses/S3_TWO/attr/mover', { value: 's3' });
      await ask('POST', '/rses/DAV_TWO/attr/mover', { value: 'webdav' });
      s3.put(new URL(await pfnOf(ask, 'S3_ONE', 'a')).pathname, 'hello');
      dav.files.set(new URL(await pfnOf(ask, 'DAV_ONE', 'b')).pathname, Buffer.from('hello'));
      await register(ask, 'S3_ONE', 'a', { bytes: 5, adler32: '062c0215' });
      await register(ask, 'DAV_ONE', 'b', { bytes: 5, adler32: '062c0215' });
      const [first, second] = [await want(ask, 'a', 'S3_TWO'), await want(ask, 'b', 'DAV_TWO')];
      await want(ask, 'a', 'DAV_TWO');
      await expect.poll(() => stateOf(ask, first)).toBe('OK');
      await expect.poll(() => stateOf(ask, second)).toBe('OK');
      expect(s3.objects.get(new URL(await pfnOf(ask, 'S3_TWO', 'a')).pathname)?.content.toString()).toBe('hello');
      expect(dav.files.get(new URL(await pfnOf(ask, 'DAV_TWO', 'b')).pathname)?.toString()).toBe('hello');
      await expect
        .poll(() => ask('GET', '/requests/data/a/DAV_TWO'))
        .toMatchObject({
          state: 'MISMATCH_SCHEME',
          retry_count: 0,
          err_msg: expect.stringMatching(/it is no WebDAV storage/),
        });
    },
    startTimeoutMs,
  );

  it(
    'copies from and to folders, S3 services and WebDAV servers with mover=stream, and says which schemes it does not know',
    async () => {
      const [s3, dav] = [await startS3Service(), await startWebdavService({ token: 'secret' })];
      ends.push(
        () => s3.close(),
        () => dav.close(),
      );
      const credentials = join(folder, 'credentials.json');
      const [keys, token] = [{ access_key: 'AKID', secret_key: 'secret' }, { auth_token: 'secret' }];
      writeFileSync(credentials, JSON.stringify({ S3_ONE: keys, S3_TWO: keys, DAV_ONE: token, DAV_TWO: token }));
      const ask = await start(0, { RSE_CREDENTIALS_FILE: credentials });
      for (const name of ['ONE', 'TWO']) {
        await addStorage(ask, `FILE_${name}`, join(folder, `storage/${name}`));
        await addStorage(ask, `S3_${name}`, `/${name.toLowerCase()}`, new URL(s3.origin));
        await ask('POST', `/rses/S3_${name}/attr/sign_url`, { value: 's3' });
        await addStorage(ask, `DAV_${name}`, `/store/${name.toLowerCase()}`, new URL(dav.origin));
      }
      const kinds = ['FILE', 'S3', 'DAV'];
      for (const kind of kinds) await ask('POST', `/rses/${kind}_TWO/attr/mover`, { value: 'stream' });
      const put = async (kind: string, name: string) => {
        if (kind === 'FILE') return upload(ask, 'FILE_ONE', name, 'hello', '062c0215');
        const { pathname } = new URL(await pfnOf(ask, `${kind}_ONE`, name));
        if (kind === 'S3') s3.put(pathname, 'hello');
        else dav.files.set(pathname, Buffer.from('hello'));
        return register(ask, `${kind}_ONE`, name, { bytes: 5, adler32: '062c0215' });
      };
      const read = async (kind: string, name: string) => {
        const pfn = await pfnOf(ask, `${kind}_TWO`, name);
        if (kind === 'FILE') return readFileSync(pathOf(pfn), 'utf8');
        const { pathname } = new URL(pfn);
        return (kind === 'S3' ? s3.objects.get(pathname)?.content : dav.files.get(pathname))?.toString();
      };
      const rules: string[] = [];
      for (const from of kinds) {
        await put(from, `from-${from}`);
        for (const to of kinds) rules.push(await want(ask, `from-${from}`, `${to}_TWO`));
      }
      for (const rule of rules) await expect.poll(() => stateOf(ask, rule)).toBe('OK');
      for (const from of kinds) for (const to of kinds) expect(await read(to, `from-${from}`)).toBe('hello');

      await addStorage(ask, 'GRID', '/grid', new URL('root://grid.example.org:1094'));
      await register(ask, 'GRID', 'far', { bytes: 5, adler32: '062c0215' });
      const far = await want(ask, 'far', 'S3_TWO');
      await expect
        .poll(() => ask('GET', `/rules/${far}`))
        .toMatchObject({
          state: 'STUCK',
          error: expect.stringMatching(/mover stream uses the schemes file, .*GRID has root/),
        });
    },
    startTimeoutMs,
  );

  it(
    'makes copies by each mover, and says what none can, while another mover waits for a storage that hangs',
    async () => {
      const dav = await startWebdavService();
      ends.push(() => dav.close());
      const ask = await start(0);
      await addStorage(ask, 'ONE', join(folder, 'storage/one'));
      await addStorage(ask, 'TWO', join(folder, 'storage/two'));
      await addStorage(ask, 'THREE', join(folder, 'storage/three'));
      await addStorage(ask, 'DAV', '/store', new URL(dav.origin));
      await addStorage(ask, 'GRID', '/grid', new URL('root://grid.example.org:1094'));
      await addStorage(ask, 'S3', '/bucket', new URL('https://s3.example.org'));
      await ask('POST', '/rses/S3/attr/sign_url', { value: 's3' });
      await ask('POST', '/rses/DAV/attr/mover', { value: 'stream' });
      await ask('POST', '/rses/TWO/attr/mover', { value: 'posix' });
      await ask('POST', '/rses/THREE/attr/mover', { value: 'stream' });
      dav.setFaults(() => 'hang');
      const names = Array.from({ length: 20 }, (_value, index) => `f${index}`);
      for (const name of names) await upload(ask, 'ONE', name, 'hello', '062c0215');
      for (const name of names) await want(ask, name, 'DAV');
      await expect.poll(() => dav.calls.length, pollSlowly).toBeGreaterThan(7);
      const good = [await want(ask, 'f0', 'TWO'), await want(ask, 'f0', 'THREE')];
      for (const rule of good) await expect.poll(() => stateOf(ask, rule), pollSlowly).toBe('OK');
      // What no mover can do, by each kind of mover.
      for (const [rse, mover, why] of [
        ['S3', 's3', /ONE has file/],
        ['S3', 'stream', /no credentials of the RSE S3/],
        ['GRID', 'webdav', /GRID, the destination, has root/],
        ['GRID', 'fts', /mover fts uses the schemes .*ONE has file/],
        ['GRID', 'posix', /GRID, the destination, has root/],
        ['GRID', 'strem', /No mover runs here that has the name strem/],
      ] as const) {
        await ask('POST', `/rses/${rse}/attr/mover`, { value: mover });
        const name = `${rse}-${mover}`;
        await upload(ask, 'ONE', name, 'hello', '062c0215');
        const rule = await want(ask, name, rse);
        await expect
          .poll(() => ask('GET', `/rules/${rule}`), pollSlowly)
          .toMatchObject({ state: 'STUCK', error: expect.stringMatching(why) });
      }
    },
    startTimeoutMs,
  );
});
