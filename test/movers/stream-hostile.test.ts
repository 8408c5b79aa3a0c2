/** Storages that lie, crawl, or are two names of one, and attempts that are stopped. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { functionRun } from '../../lib/domain/requests/open-movers.ts';
import { type CopyJob, CopyObstacle, type CopyPlace } from '../../lib/movers/mover.ts';
import { Pacer } from '../../lib/movers/stream/pacer.ts';
import { WebdavMover } from '../../lib/movers/webdav/webdav-mover.ts';
import type { StorageCall } from '../support/faults-of-storage.ts';
import { jobOf, type kinds, partBytes, startEnds } from './stream-ends.ts';

const never = new AbortController().signal;
const name = 'scope/f';
const slowBytes = 20 * 2 ** 20;
const large = randomBytes(4 * partBytes + 1);

let ends: Awaited<ReturnType<typeof startEnds>>;
beforeAll(async () => {
  ends = await startEnds();
});
afterEach(() => ends.clear());
afterAll(() => ends.close());

type Kind = (typeof kinds)[number];

async function prepare(from: Kind, to: Kind, content = large) {
  const [source, destination] = [ends.source(from), ends.destination(to)];
  await source.put(name, content);
  return { source, destination, job: jobOf(source.place(name), destination.place(name), content) };
}

describe('a list that a storage sends', () => {
  const partTag = '<D:href>/store/.dapple-';
  it.each([
    ['one name without end', `<D:response><D:href>${'a'.repeat(4_000_000)}`],
    ['tags without end', '<D:getlastmodified'.repeat(200_000)],
    ['names without end', partTag.repeat(150_000)],
  ])('of a folder with %s takes no time', async (_what, body) => {
    const { destination, job } = await prepare('posix', 'webdav');
    destination.setFaults(({ method }) => (method === 'PROPFIND' ? { status: 207, body } : undefined));
    await ends.newMover().copy(job, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
  });

  it('of uploads without end takes no time', async () => {
    const { destination, job } = await prepare('posix', 's3');
    const body = `<IsTruncated>true</IsTruncated><NextKeyMarker>x</NextKeyMarker>${'<Upload>'.repeat(8_000)}`;
    destination.setFaults(({ query }) =>
      query.has('uploads') && query.has('prefix') ? { status: 200, body } : undefined,
    );
    await ends.newMover().copy(job, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
  });

  it('of an error may name characters that there are not', async () => {
    const { destination, job } = await prepare('posix', 's3');
    const body = '<Error><Code>Odd</Code><Message>&#9999999;&lt;</Message></Error>';
    destination.setFaults(({ method }) => (method === 'PUT' ? { status: 400, body } : undefined));
    await expect(ends.newMover().copy(job, never)).rejects.toThrow('400 Odd &#9999999;<');
  });
});

describe('a storage that crawls', () => {
  it.each(['s3', 'webdav'] as const)('of %s fails the copies from it', async (from) => {
    const { source, job } = await prepare(from, 'posix');
    source.setFaults(({ method }) => (method === 'GET' ? 'trickle' : undefined));
    await expect(ends.newHastyMover().copy(job, never)).rejects.toThrow(/sent \d+ bytes in|sent nothing|no answer/);
  });

  it('takes large parts as long as there is progress', async () => {
    const content = randomBytes(slowBytes + 10 * 2 ** 20);
    const etag = `"${createHash('md5').update(content).digest('hex')}"`;
    let received = 0;
    const server = createServer((request, response) => {
      const answer = async () => {
        if (request.method === 'PUT') received = 0;
        for await (const chunk of request as AsyncIterable<Buffer>) {
          received += chunk.length;
          // What the buffers hold at the end is taken at once.
          if (received < slowBytes) await sleep(4);
        }
        const isThere = received === content.length;
        const length = request.method === 'HEAD' ? { 'Content-Length': received } : {};
        response.writeHead(isThere ? 200 : 404, { ETag: etag, ...length }).end();
      };
      answer().catch(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { job } = await prepare('posix', 's3', content);
    const url = `http://127.0.0.1:${port}/bucket/${name}`;
    const destination: CopyPlace = { ...job.destination, pfn: url, url, prefix: '/bucket/' };
    try {
      await ends.newMover({ partBytes: content.length }, 1_000, 1_000).copy({ ...job, destination }, never);
      expect(received).toBe(content.length);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('a file that is at the destination already', () => {
  const alias = (place: CopyPlace): CopyPlace => ({
    ...place,
    rse: { ...place.rse, id: 'alias', rse: 'alias' },
    pfn: place.pfn.replace('127.0.0.1', 'localhost'),
    url: place.url?.replace('127.0.0.1', 'localhost'),
  });

  it.each(['s3', 'webdav'] as const)('is no copy if it is the source by another address of %s', async (kind) => {
    const { source } = await prepare(kind, kind);
    ends.dav.folders.add('/store/from/scope');
    const job: CopyJob = jobOf(alias(source.place(name)), source.place(name), large);
    const movers = [
      ends.newMover(),
      ...(kind === 'webdav' ? [new WebdavMover({ findToken: async () => undefined })] : []),
    ];
    for (const mover of movers) {
      await expect(mover.copy(job, never)).rejects.toThrow(CopyObstacle);
      await expect(mover.copy(job, never)).rejects.toThrow('alias have one storage');
    }
    expect(await source.contents()).toEqual(new Map([[name, large]]));
  });

  it.each(['s3', 'webdav'] as const)('is no copy before that is known: the proof has gone from %s', async (kind) => {
    const { source } = await prepare(kind, kind);
    ends.dav.folders.add('/store/from/scope');
    const job: CopyJob = jobOf(alias(source.place(name)), source.place(name), large);
    // Somebody tidies up as soon as the empty file is there.
    const tidyUp = ({ method, path }: StorageCall) => {
      if (method !== 'HEAD' || !path.endsWith('.part')) return undefined;
      for (const files of [ends.s3.objects, ends.dav.files]) files.delete(path);
      return undefined;
    };
    source.setFaults(tidyUp);
    const movers = [
      ends.newMover(),
      ...(kind === 'webdav' ? [new WebdavMover({ findToken: async () => undefined })] : []),
    ];
    for (const mover of movers) await expect(mover.copy(job, never)).rejects.toThrow('It is not known yet whether');
    source.setFaults(undefined);
    expect(await source.contents()).toEqual(new Map([[name, large]]));
  });
});

describe('a copy that is stopped', () => {
  it.each(['posix', 's3'] as const)('is continued to %s by the same process, and leaves nothing', async (to) => {
    const { source, destination, job } = await prepare('webdav', to);
    const mover = ends.newMover();
    // The folder is known by then.
    await ends.source('webdav').put('scope/g', large);
    await mover.copy(jobOf(source.place('scope/g'), destination.place('scope/g'), large), never);
    const stopping = new AbortController();
    let writes = 0;
    const stop = ({ method }: StorageCall) => {
      if (method === 'PUT' && (writes += 1) === 3) stopping.abort(new Error('stopped'));
      return undefined;
    };
    destination.setFaults(stop);
    const requireLease = () => {
      if (to === 'posix') stopping.abort(new Error('stopped'));
      stopping.signal.throwIfAborted();
    };
    await expect(mover.copy({ ...job, requireLease }, stopping.signal)).rejects.toThrow('stopped');
    destination.setFaults(undefined);
    await mover.copy({ ...job, id: 'lease2' }, never);
    expect([...(await destination.contents()).keys()].toSorted()).toEqual([name, 'scope/g']);
    expect(ends.s3.uploads.size).toBe(0);
  });

  it('and continued to a bucket that stores another content is deleted', async () => {
    const { destination, job } = await prepare('posix', 's3');
    const stopping = new AbortController();
    let writes = 0;
    destination.setFaults(({ method }) => {
      if (method === 'PUT' && (writes += 1) === 2) stopping.abort(new Error('stopped'));
      return undefined;
    });
    await expect(ends.newMover().copy(job, stopping.signal)).rejects.toThrow('stopped');
    expect(ends.s3.uploads.size).toBe(1);
    destination.setFaults(({ method }) => (method === 'PUT' ? 'corrupt' : undefined));
    await expect(ends.newMover().copy({ ...job, id: 'lease2' }, never)).rejects.toThrow(/adler32|md5/);
    expect(await destination.contents()).toEqual(new Map());
    expect(ends.s3.uploads.size).toBe(0);
  });
});

describe('what the mover refuses', () => {
  it('is a file that is too large for the parts of a bucket, but not for a folder', async () => {
    for (const [to, reason] of [
      ['s3', /bytes to a bucket at most/],
      ['posix', /^$/],
    ] as const) {
      const { job } = await prepare('webdav', to);
      expect((await ends.newMover().findObstacle({ ...job, bytes: 2 ** 41 })) ?? '').toMatch(reason);
    }
  });

  it.each([
    [
      'a file that takes longer than a function lives',
      { bytes: 3_000_000_001 },
      {},
      /copies 3000000000 bytes .* in 600 s/,
    ],
    ['one that does so at the rate of an RSE', { bytes: 300_001 }, { mover_rate: 1_000 }, /copies 300000 bytes/],
    ['a rate that means weeks', {}, { mover_rate: '20' }, /1000 at least/],
  ])('is %s', async (_what, facts, attributes, reason) => {
    const { job } = await prepare('posix', 's3');
    const { destination } = job;
    const rse = { ...destination.rse, attributes: { ...destination.rse.attributes, ...attributes } };
    const mover = ends.newMover(undefined, undefined, undefined, functionRun);
    const found = await mover.findObstacle({ ...job, ...facts, destination: { ...destination, rse } });
    expect(found).toMatch(reason);
  });
});

describe('the rate of an RSE', () => {
  it('holds at once when it is changed, whatever was copied before', async () => {
    const pacer = new Pacer();
    const rse = (rate: number) => [{ id: '1', rse: 'ONE', attributes: { mover_rate: rate } }];
    await pacer.take(rse(1_000), 1_000_000, never);
    const started = performance.now();
    await pacer.take(rse(1e9), 1_000, never);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
