import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dapple-movers-')));
const [data, threadedData] = [join(folder, 'data'), join(folder, 'threaded')];
/** Where a server keeps files that movers may read and write. */
const storage = (path: string, owner = data) => join(owner, 'storage', path);
const ends: (() => Promise<void>)[] = [];
const token = { auth_token: 'secret' };
const keys = { access_key: 'AKID', secret_key: 'secret' };

let s3: Awaited<ReturnType<typeof startS3Service>>;
let dav: Awaited<ReturnType<typeof startWebdavService>>;
/** Asks the server that most tests share: it runs the tasks, without threads. */
let ask: Laptop['ask'];
/** A rule, and what became of it and its request by a server that was started with --no-tasks. */
let idle: { readonly rule: string; readonly state: string; readonly request: unknown };

beforeAll(async () => {
  [s3, dav] = [await startS3Service(), await startWebdavService({ token: 'secret' })];
  ends.push(
    () => s3.close(),
    () => dav.close(),
  );
  idle = await askWithoutTasks();
  const credentials = join(folder, 'credentials.json');
  const secrets = { S3_TWO: keys, DAV_ONE: token, DAV_TWO: token };
  const streamSecrets = { STREAM_S3_ONE: keys, STREAM_S3_TWO: keys, STREAM_DAV_ONE: token, STREAM_DAV_TWO: token };
  writeFileSync(credentials, JSON.stringify({ ...secrets, ...streamSecrets }));
  ask = await open(data, ['--threads', '0'], { RSE_CREDENTIALS_FILE: credentials });
}, startTimeoutMs);

afterAll(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** A server with its data in a folder, and how to ask it as root. */
async function open(
  at: string,
  options: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<Laptop['ask']> {
  const laptop = await startLaptop(['--data', at, ...options], environment);
  ends.push(() => laptop.server.kill());
  return laptop.ask;
}

/** Asks a server without tasks for a copy, and looks what it has done about it after a while. */
async function askWithoutTasks(): Promise<typeof idle> {
  const server = await open(data, ['--threads', '0', '--no-tasks']);
  await server('POST', '/scopes/root/data');
  await addStorage(server, 'IDLE_ONE', storage('idle-one'));
  await addStorage(server, 'IDLE_TWO', storage('idle-two'));
  await server('POST', '/rses/IDLE_TWO/attr/mover', { value: 'posix' });
  await upload(server, 'IDLE_ONE', 'idle', 'hello', '062c0215');
  const rule = await want(server, 'idle', 'IDLE_TWO');
  await sleep(idleMs);
  const seen = {
    rule,
    state: await stateOf(server, rule),
    request: await server('GET', '/requests/data/idle/IDLE_TWO'),
  };
  await ends.pop()?.();
  return seen;
}

describe('npm start', () => {
  it.each([0, 1])(
    'copies what rules ask for to RSEs with the attribute mover=posix, with %i threads',
    async (threads) => {
      const owner = threads === 0 ? data : threadedData;
      const server = threads === 0 ? ask : await open(owner, ['--threads', String(threads)]);
      if (threads > 0) await server('POST', '/scopes/root/data');
      await addStorage(server, 'ONE', storage('one', owner));
      await addStorage(server, 'TWO', storage('two', owner));
      await server('POST', '/rses/TWO/attr/mover', { value: 'posix' });
      await upload(server, 'ONE', 'good', 'hello', '062c0215');
      const rule = await want(server, 'good', 'TWO');
      await expect.poll(() => stateOf(server, rule)).toBe('OK');
      expect(readFileSync(pathOf(await pfnOf(server, 'TWO', 'good')), 'utf8')).toBe('hello');

      await upload(server, 'ONE', 'spoilt', 'hallo', '062c0215');
      await want(server, 'spoilt', 'TWO');
      await expect
        .poll(() => server('GET', '/requests/data/spoilt/TWO'))
        .toMatchObject({ retry_count: 1, err_msg: expect.stringContaining('adler32') });
      if (threads > 0) await ends.pop()?.();
    },
    startTimeoutMs,
  );

  it('does nothing by itself with --no-tasks, until it is started without', async () => {
    expect(idle.state).toBe('REPLICATING');
    expect(idle.request).toMatchObject({ state: 'QUEUED', retry_count: 0 });
    await expect.poll(() => stateOf(ask, idle.rule)).toBe('OK');
  });

  it(
    'copies nothing outside of its storage folder, nor to RSEs without the attribute',
    async () => {
      await addStorage(ask, 'INSIDE', storage('inside'));
      await addStorage(ask, 'OUTSIDE', join(folder, 'elsewhere'));
      await addStorage(ask, 'MANUAL', storage('manual'));
      await ask('POST', '/rses/OUTSIDE/attr/mover', { value: 'posix' });
      await upload(ask, 'INSIDE', 'kept', 'hello', '062c0215');
      await want(ask, 'kept', 'MANUAL');
      const outside = await want(ask, 'kept', 'OUTSIDE');
      await expect
        .poll(() => ask('GET', `/rules/${outside}`), pollSlowly)
        .toMatchObject({ state: 'STUCK', error: expect.stringContaining('not below a folder') });
      expect(await ask('GET', '/requests/data/kept/OUTSIDE')).toMatchObject({
        state: 'MISMATCH_SCHEME',
        retry_count: 0,
      });
      expect(await ask('GET', '/requests/data/kept/MANUAL')).toMatchObject({ state: 'QUEUED', retry_count: 0 });
    },
    startTimeoutMs,
  );

  it(
    'lets S3 services and WebDAV servers copy, with the credentials of the RSEs, and says what none of them can',
    async () => {
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
      for (const name of ['ONE', 'TWO']) {
        await addStorage(ask, `STREAM_FILE_${name}`, storage(`stream-${name}`));
        await addStorage(ask, `STREAM_S3_${name}`, `/stream-${name.toLowerCase()}`, new URL(s3.origin));
        await ask('POST', `/rses/STREAM_S3_${name}/attr/sign_url`, { value: 's3' });
        await addStorage(ask, `STREAM_DAV_${name}`, `/store/stream-${name.toLowerCase()}`, new URL(dav.origin));
      }
      const kinds = ['FILE', 'S3', 'DAV'];
      for (const kind of kinds) await ask('POST', `/rses/STREAM_${kind}_TWO/attr/mover`, { value: 'stream' });
      const put = async (kind: string, name: string) => {
        if (kind === 'FILE') return upload(ask, 'STREAM_FILE_ONE', name, 'hello', '062c0215');
        const { pathname } = new URL(await pfnOf(ask, `STREAM_${kind}_ONE`, name));
        if (kind === 'S3') s3.put(pathname, 'hello');
        else dav.files.set(pathname, Buffer.from('hello'));
        return register(ask, `STREAM_${kind}_ONE`, name, { bytes: 5, adler32: '062c0215' });
      };
      const read = async (kind: string, name: string) => {
        const pfn = await pfnOf(ask, `STREAM_${kind}_TWO`, name);
        if (kind === 'FILE') return readFileSync(pathOf(pfn), 'utf8');
        const { pathname } = new URL(pfn);
        return (kind === 'S3' ? s3.objects.get(pathname)?.content : dav.files.get(pathname))?.toString();
      };
      const rules: string[] = [];
      for (const from of kinds) {
        await put(from, `from-${from}`);
        for (const to of kinds) rules.push(await want(ask, `from-${from}`, `STREAM_${to}_TWO`));
      }
      for (const rule of rules) await expect.poll(() => stateOf(ask, rule)).toBe('OK');
      for (const from of kinds) for (const to of kinds) expect(await read(to, `from-${from}`)).toBe('hello');

      await addStorage(ask, 'STREAM_GRID', '/grid', new URL('root://grid.example.org:1094'));
      await register(ask, 'STREAM_GRID', 'far', { bytes: 5, adler32: '062c0215' });
      const far = await want(ask, 'far', 'STREAM_S3_TWO');
      await expect
        .poll(() => ask('GET', `/rules/${far}`))
        .toMatchObject({
          state: 'STUCK',
          error: expect.stringMatching(/mover stream uses the schemes file, .*STREAM_GRID has root/),
        });
    },
    startTimeoutMs,
  );

  it(
    'makes copies by each mover, and says what none can, while another mover waits for a storage that hangs',
    async () => {
      const hanging = await startWebdavService();
      ends.push(() => hanging.close());
      await addStorage(ask, 'NEAR', storage('near'));
      await addStorage(ask, 'POSIX', storage('posix'));
      await addStorage(ask, 'STREAM', storage('stream'));
      await addStorage(ask, 'DAV', '/store', new URL(hanging.origin));
      await addStorage(ask, 'GRID', '/grid', new URL('root://grid.example.org:1094'));
      await addStorage(ask, 'S3', '/bucket', new URL('https://s3.example.org'));
      await ask('POST', '/rses/S3/attr/sign_url', { value: 's3' });
      await ask('POST', '/rses/DAV/attr/mover', { value: 'stream' });
      await ask('POST', '/rses/POSIX/attr/mover', { value: 'posix' });
      await ask('POST', '/rses/STREAM/attr/mover', { value: 'stream' });
      hanging.setFaults(() => 'hang');
      const names = Array.from({ length: 20 }, (_value, index) => `f${index}`);
      for (const name of names) await upload(ask, 'NEAR', name, 'hello', '062c0215');
      for (const name of names) await want(ask, name, 'DAV');
      await expect.poll(() => hanging.calls.length, pollSlowly).toBeGreaterThan(7);
      const good = [await want(ask, 'f0', 'POSIX'), await want(ask, 'f0', 'STREAM')];
      for (const rule of good) await expect.poll(() => stateOf(ask, rule), pollSlowly).toBe('OK');
      // What no mover can do, by each kind of mover.
      for (const [rse, mover, why] of [
        ['S3', 's3', /NEAR has file/],
        ['S3', 'stream', /no credentials of the RSE S3/],
        ['GRID', 'webdav', /GRID, the destination, has root/],
        ['GRID', 'fts', /mover fts uses the schemes .*NEAR has file/],
        ['GRID', 'posix', /GRID, the destination, has root/],
        ['GRID', 'strem', /No mover runs here that has the name strem/],
      ] as const) {
        await ask('POST', `/rses/${rse}/attr/mover`, { value: mover });
        const name = `${rse}-${mover}`;
        await upload(ask, 'NEAR', name, 'hello', '062c0215');
        const rule = await want(ask, name, rse);
        await expect
          .poll(() => ask('GET', `/rules/${rule}`), pollSlowly)
          .toMatchObject({ state: 'STUCK', error: expect.stringMatching(why) });
      }
    },
    startTimeoutMs,
  );
});
