import { createHash } from 'node:crypto';

import { afterEach, describe, expect, it } from 'vitest';

import { Adler32 } from '../../lib/movers/adler32.ts';
import { type CopyJob, type CopyPlace, LeaseOver } from '../../lib/movers/mover.ts';
import { WebdavMover } from '../../lib/movers/webdav/webdav-mover.ts';
import { mayRedirect } from '../../lib/movers/webdav/webdav-place.ts';
import { failFirst, holdFirst, type StorageCall } from '../support/faults-of-storage.ts';
import { startWebdavService, type WebdavOptions, type WebdavService } from '../support/webdav-service.ts';

const never = new AbortController().signal;
const makeMover = ({ stallMs = 10_000, slowAnswerMs = 10_000 } = {}) =>
  new WebdavMover({
    findToken: async ({ rse }) => `token of ${rse}`,
    stallMs,
    retryPolicy: { answerMs: 10_000, slowAnswerMs, attempts: 4, firstPauseMs: 1, longestPauseMs: 1 },
  });
const mover = makeMover();

const running: WebdavService[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

const name = 'a b/f?%#ä';

/** Two servers, of which the first has a file. */
async function startPair(first: WebdavOptions = {}, second: WebdavOptions = {}) {
  const one = await startWebdavService({ token: 'token of ONE', ...first });
  const two = await startWebdavService({ token: 'token of TWO', ...second });
  running.push(one, two);
  one.files.set(`/store/${name}`, Buffer.from('hello'));
  return { one, two };
}

type Pair = Awaited<ReturnType<typeof startPair>>;

const place = (rse: string, { origin }: WebdavService): CopyPlace => ({
  rse: { id: rse, rse, attributes: {} },
  pfn: `${origin}/store/${name}`,
  prefix: '/store/',
  url: `${origin}/store/${name.split('/').map(encodeURIComponent).join('/')}`,
});
const adler32Of = (content: string) => {
  const sum = new Adler32();
  sum.update(Buffer.from(content));
  return sum.digest();
};
const jobOf = ({ one, two }: Pair, more: Partial<CopyJob> = {}): CopyJob => ({
  id: 'lease1',
  source: place('ONE', one),
  destination: place('TWO', two),
  bytes: 5,
  adler32: adler32Of('hello'),
  replaces: false,
  requireLease: () => {},
  ...more,
});
const stored = ({ two }: Pair) =>
  Object.fromEntries([...two.files].map(([path, content]) => [path, content.toString()]));
const copied = { [`/store/${name}`]: 'hello' };
const isCopy = ({ method }: StorageCall) => method === 'COPY';

/** A check of the lease that holds for a number of times. */
const holding = (times: number) => {
  let left = times;
  return () => {
    if (left === 0) throw new LeaseOver();
    left -= 1;
  };
};

/** A server that passes all requests on to the second one, which has another name for it. */
async function startForeignDoor({ two }: Pair, attributes: CopyPlace['rse']['attributes']) {
  const door = await startWebdavService();
  running.push(door);
  door.setFaults(() => ({ status: 307, location: two.origin.replace('127.0.0.1', 'localhost') }));
  const destination = place('TWO', door);
  return { door, destination: { ...destination, rse: { ...destination.rse, attributes } } };
}

describe('a third-party copy', () => {
  it.each([false, true])('gets no name once its lease is over, at whichever step (replaces: %s)', async (replaces) => {
    const pair = await startPair();
    const before = replaces ? { [`/store/${name}`]: 'rotten' } : {};
    for (let times = 0; ; times += 1) {
      for (const [path, content] of Object.entries(before)) pair.two.files.set(path, Buffer.from(content));
      const job = jobOf(pair, { replaces, id: `lease${times}`, requireLease: holding(times) });
      const end = await mover.copy(job, never).catch((error: unknown) => error);
      if (!(end instanceof LeaseOver)) break;
      expect(stored(pair)).toEqual(before);
    }
    expect(stored(pair)).toEqual(copied);
  });

  it('is made by the destination with the tokens of both, in a folder that is made, and tells its checksums', async () => {
    const pair = await startPair();
    const md5 = createHash('md5').update('hello').digest('hex');
    expect(await mover.copy(jobOf(pair), never)).toEqual({ bytes: 5, adler32: adler32Of('hello'), md5 });
    expect(stored(pair)).toEqual(copied);
    expect(pair.one.calls).toEqual([`HEAD /store/${name}`, `GET /store/${name}`]);
  });

  it('appears under its name when it is complete and has been checked', async () => {
    const pair = await startPair();
    pair.two.folders.add('/store/a b');
    await mover.copy(jobOf(pair), never);
    const part = '/store/a b/.lease1-1.part';
    expect(pair.two.calls).toEqual([
      `HEAD /store/${name}`,
      `COPY ${part}`,
      `HEAD ${part}`,
      `HEAD /store/${name}`,
      `MOVE ${part}`,
      // The name has escapes, which not all servers decode.
      `HEAD /store/${name}`,
    ]);
  });

  it('is sent by the source if the destination cannot fetch', async () => {
    const pair = await startPair({}, { copies: 'by push alone' });
    pair.two.folders.add('/store/a b');
    await mover.copy(jobOf(pair), never);
    expect(stored(pair)).toEqual(copied);
  });

  it('fails if neither server can copy', async () => {
    const pair = await startPair({ copies: 'not' }, { copies: 'not' });
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow('COPY at');
    expect(stored(pair)).toEqual({});
  });

  it('follows redirections to the server that has the file, with the token', async () => {
    const pair = await startPair();
    const door = await startWebdavService();
    running.push(door);
    door.setFaults(() => ({ status: 307, location: pair.two.origin }));
    await mover.copy(jobOf(pair, { destination: place('TWO', door) }), never);
    expect(stored(pair)).toEqual(copied);
  });

  it.each(['localhost', '*.localhost, LOCALHOST', 'other.example.org localhost'])(
    'is redirected to the hosts that the RSE declares: %s',
    async (hosts) => {
      const pair = await startPair();
      const { door, destination } = await startForeignDoor(pair, { token_hosts: hosts });
      await mover.copy(jobOf(pair, { destination }), never);
      expect(stored(pair)).toEqual(copied);
      expect(door.calls.length).toBeGreaterThan(0);
    },
  );

  it.each([undefined, 'example.org', '*.localhost', 'ocalhost', true])(
    'takes no token, and no request, to another host: %s',
    async (hosts) => {
      const pair = await startPair();
      const { destination } = await startForeignDoor(pair, { token_hosts: hosts });
      await expect(mover.copy(jobOf(pair, { destination }), never)).rejects.toThrow(
        /is redirected to http:\/\/localhost:\d+, where the tokens of TWO must not go \(token_hosts\)\.$/,
      );
      expect(pair.two.calls).toEqual([]);
    },
  );

  it.each([
    ['https://one.example.org:8443/x', true],
    ['https://pool1.data.example.org/x', true],
    ['https://data.example.org/x', false],
    ['https://evildata.example.org/x', false],
    ['https://pool1.data.example.org.evil.org/x', false],
    ['http://one.example.org/x', false],
    ['https://user@one.example.org/x', false],
  ])('may be redirected to %s: %s', (next, may) => {
    const from = { url: 'https://one.example.org/x', token: 'x', rse: 'ONE', hosts: ['*.data.example.org'] };
    expect(mayRedirect(from, new URL(next))).toBe(may);
  });

  it('tells people nothing that a server says to which another one has redirected', async () => {
    const pair = await startPair();
    const { destination } = await startForeignDoor(pair, { token_hosts: 'localhost' });
    pair.two.setFaults(({ method }) => (method === 'COPY' ? { status: 403, code: 'secret' } : undefined));
    await expect(mover.copy(jobOf(pair, { destination }), never)).rejects.toThrow(/^COPY at localhost:\d+: 403$/);
  });

  it.each([
    ['size', { bytes: 6 }],
    ['Adler-32', { adler32: '00000001' }],
    ['MD5', { md5: '0'.repeat(32) }],
  ])('leaves nothing if it has another %s than the catalogue', async (_what, more) => {
    const pair = await startPair();
    await expect(mover.copy(jobOf(pair, more), never)).rejects.toThrow(/The copy has/);
    expect(stored(pair)).toEqual({});
  });

  it('is compared with its source if the catalogue knows no checksum', async () => {
    const pair = await startPair();
    pair.two.folders.add('/store/a b');
    pair.two.setFaults(failFirst(isCopy, 'corrupt'));
    await expect(mover.copy(jobOf(pair, { adler32: undefined }), never)).rejects.toThrow(/The copy has the adler32/);
    expect(stored(pair)).toEqual({});
    await mover.copy(jobOf(pair, { adler32: undefined }), never);
    expect(stored(pair)).toEqual(copied);
  });

  it('is read where the server tells no checksums, unless its RSE says that the size is enough', async () => {
    const adler32 = adler32Of('hello');
    for (const known of [{ adler32 }, { adler32: undefined }]) {
      const pair = await startPair({ isWithoutDigests: true }, { isWithoutDigests: true });
      pair.two.folders.add('/store/a b');
      pair.two.setFaults(failFirst(isCopy, 'corrupt', 'corrupt'));
      await expect(mover.copy(jobOf(pair, known), never)).rejects.toThrow(/The copy has the adler32/);
      expect(stored(pair)).toEqual({});
      const trusted = {
        ...place('TWO', pair.two),
        rse: { id: 'TWO', rse: 'TWO', attributes: { verify_checksum: false } },
      };
      expect(await mover.copy(jobOf(pair, { ...known, destination: trusted }), never)).toEqual({ bytes: 5 });
      expect(stored(pair)).toEqual({ [`/store/${name}`]: '?????' });
      // What was there before never counts by its size.
      await expect(mover.copy(jobOf(pair, { ...known, destination: trusted }), never)).rejects.toThrow('another file');
      pair.two.files.clear();
      expect(await mover.copy(jobOf(pair, known), never)).toMatchObject({ bytes: 5, adler32 });
      expect(await mover.copy(jobOf(pair, { ...known, id: 'again' }), never)).toMatchObject({ bytes: 5, adler32 });
      expect(pair.two.calls.filter((call) => call.startsWith('MOVE'))).toHaveLength(2);
    }
  });

  it('fails if its content can neither be told nor read', async () => {
    const pair = await startPair({}, { isWithoutDigests: true });
    pair.two.folders.add('/store/a b');
    pair.two.setFaults(({ method }) => (method === 'GET' ? { status: 405 } : undefined));
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow('GET at');
    expect(stored(pair)).toEqual({});
  });

  it('is no copy, if source and destination are one file', async () => {
    const pair = await startPair();
    const destination = { ...place('ONE', pair.one), rse: { id: 'TWO', rse: 'TWO', attributes: {} } };
    expect(mover.findObstacle({ source: jobOf(pair).source, destination })).toMatch(/is the same file as its source/);
    await expect(mover.copy(jobOf(pair, { destination }), never)).rejects.toThrow('the same file as its source');
  });

  it.each([{}, { isWithoutDigests: true }, { keepsDigests: true }])(
    'of a recovery never is the bad file itself, whatever the server tells of that: %o',
    async (second) => {
      const pair = await startPair({}, second);
      await mover.copy(jobOf(pair), never);
      const path = `/store/${name}`;
      for (const fault of ['page', 'lose answer', undefined] as const) {
        pair.two.files.set(path, Buffer.from('?????'));
        pair.two.setFaults(failFirst(({ method }) => method === 'MOVE', ...(fault === undefined ? [] : [fault])));
        const copy = mover.copy(jobOf(pair, { id: `lease ${fault}`, replaces: true }), never);
        await (fault === 'page' ? expect(copy).rejects.toThrow(/does not move|not the copy|not decode/) : copy);
        expect(stored(pair)).toEqual({ [path]: fault === 'page' ? '?????' : 'hello' });
      }
    },
  );

  it('reads no more than the beginning of an answer that never ends', async () => {
    const pair = await startPair();
    pair.two.setFaults(failFirst(isCopy, 'endless'));
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow(/COPY at .*403 x/);
    const small = await startPair({}, { isWithoutDigests: true });
    small.two.setFaults(({ method }) => (method === 'GET' ? 'endless' : undefined));
    await expect(mover.copy(jobOf(small), never)).rejects.toThrow(/GET at .*403 x/);
  });

  it('that is there already counts, without another copy', async () => {
    const pair = await startPair();
    await mover.copy(jobOf(pair), never);
    pair.two.calls.length = 0;
    expect(await mover.copy(jobOf(pair, { id: 'lease2' }), never)).toMatchObject({ bytes: 5 });
    expect(pair.two.calls).toEqual([`HEAD /store/${name}`]);
  });

  it('replaces no other file, unless a bad one is to be replaced', async () => {
    const pair = await startPair();
    pair.two.folders.add('/store/a b');
    pair.two.files.set(`/store/${name}`, Buffer.from('HELLO'));
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow('exists and is another file');
    expect(stored(pair)).toEqual({ [`/store/${name}`]: 'HELLO' });
    await mover.copy(jobOf(pair, { replaces: true }), never);
    expect(stored(pair)).toEqual(copied);
  });

  it('replaces nothing that appears while it is made, and keeps the copy of another mover', async () => {
    for (const [content, ends] of [
      ['other', 'exists and is another file'],
      ['hello', undefined],
    ] as const) {
      const pair = await startPair();
      pair.two.setFaults((call) => {
        if (isCopy(call)) pair.two.files.set(`/store/${name}`, Buffer.from(content));
        return undefined;
      });
      const copy = mover.copy(jobOf(pair), never);
      await (ends === undefined ? copy : expect(copy).rejects.toThrow(ends));
      expect(stored(pair)).toEqual({ [`/store/${name}`]: content });
    }
  });

  it('is made once if a mover is frozen before the end while another takes its place, and thaws', async () => {
    for (const replaces of [false, true]) {
      const pair = await startPair();
      pair.two.folders.add('/store/a b');
      if (replaces) pair.two.files.set(`/store/${name}`, Buffer.from('bad'));
      const fits = ({ method, path }: StorageCall) => method === 'HEAD' && path.endsWith('.part');
      pair.two.setFaults(holdFirst(fits, () => mover.copy(jobOf(pair, { id: 'next', replaces }), never)));
      await mover.copy(jobOf(pair, { id: 'frozen', replaces }), never);
      expect(stored(pair)).toEqual(copied);
      expect(pair.two.calls.filter((call) => call.startsWith('MOVE'))).toHaveLength(1);
    }
  });

  it.each([
    ['cut'],
    ['lose answer'],
    ['cut in the middle'],
    [{ status: 503 }],
    [{ status: 500 }],
    [{ status: 429 }],
  ] as const)('is begun anew after a failure that passes: %o', async (fault) => {
    const pair = await startPair();
    pair.two.folders.add('/store/a b');
    pair.two.setFaults(failFirst(isCopy, fault, fault));
    await mover.copy(jobOf(pair), never);
    expect(stored(pair)).toEqual(copied);
  });

  it.each(['HEAD', 'MOVE', 'MKCOL'])('survives lost and refused answers to %s', async (method) => {
    const pair = await startPair();
    pair.two.setFaults(failFirst((call) => call.method === method, 'lose answer', { status: 503 }, 'cut'));
    await mover.copy(jobOf(pair), never);
    expect(stored(pair)).toEqual(copied);
  });

  it('fails with the reason that the server gives, and leaves no part', async () => {
    const pair = await startPair();
    pair.one.setFaults(failFirst(({ method }) => method === 'GET', { status: 404 }));
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow('failure: Remote side failed with status code 404');
    expect(stored(pair)).toEqual({});
  });

  it('fails on a server that does not decode the names of its moves, unless they are plain', async () => {
    const pair = await startPair({}, { keepsEscapes: true });
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow('does not decode the names');
    expect(stored(pair)).toEqual({});
    const plain = `${pair.two.origin}/store/${encodeURIComponent('a+b=c,(d)&@:e')}`;
    const destination = { ...place('TWO', pair.two), url: plain };
    await mover.copy(jobOf(pair, { destination }), never);
    expect(stored(pair)).toEqual({ '/store/a+b=c,(d)&@:e': 'hello' });
  });

  it('is begun anew if there is no answer', async () => {
    const pair = await startPair();
    pair.two.folders.add('/store/a b');
    pair.two.setFaults(failFirst(isCopy, 'hang'));
    await makeMover({ slowAnswerMs: 1_000 }).copy(jobOf(pair), never);
    expect(stored(pair)).toEqual(copied);
  });

  it('fails if it makes no progress, and leaves no part', async () => {
    const pair = await startPair();
    pair.one.setFaults(({ method }) => (method === 'GET' ? 'hang' : undefined));
    await expect(makeMover({ stallMs: 100 }).copy(jobOf(pair), never)).rejects.toThrow('no progress');
    expect(stored(pair)).toEqual({});
  });

  it('ends when its lease is lost, and leaves no part', async () => {
    const pair = await startPair();
    const stopping = new AbortController();
    pair.one.setFaults(({ method }) => {
      if (method === 'GET') stopping.abort(new Error('lost'));
      return undefined;
    });
    await expect(mover.copy(jobOf(pair), stopping.signal)).rejects.toThrow('lost');
    expect(stored(pair)).toEqual({});
  });

  it('is none of object stores', async () => {
    const { source, destination } = jobOf(await startPair());
    const s3 = { ...source, rse: { ...source.rse, attributes: { sign_url: 's3' } } };
    expect(mover.findObstacle({ source, destination })).toBeUndefined();
    expect(mover.findObstacle({ source: s3, destination })).toBe(
      'ONE has the attribute sign_url: it is no WebDAV storage.',
    );
  });
});
