import { createHash } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Adler32 } from '../../lib/movers/adler32.ts';
import { type CopyJob, type CopyPlace, LeaseOver } from '../../lib/movers/mover.ts';
import { S3Mover } from '../../lib/movers/s3/s3-mover.ts';
import { failFirst, holdFirst } from '../support/faults-of-storage.ts';
import { type S3Service, startS3Service } from '../support/s3-service.ts';

let service: S3Service;
let mover: S3Mover;
const never = new AbortController().signal;
const md5Of = (content: string) => createHash('md5').update(content).digest('hex');

/** A mover that makes copies of more than eight bytes in parts of three. */
function makeMover(retryPolicy: { answerMs: number; attempts: number }): S3Mover {
  return new S3Mover({
    findKeys: async () => ({ accessKey: 'AKID', secretKey: 'secret', region: 'eu-test-1' }),
    parts: { maxSingleBytes: 8, minPartBytes: 3, parallelParts: 2 },
    retryPolicy: { ...retryPolicy, slowAnswerMs: retryPolicy.answerMs, firstPauseMs: 1, longestPauseMs: 1 },
  });
}

beforeEach(async () => {
  service = await startS3Service();
  mover = makeMover({ answerMs: 10_000, attempts: 4 });
  service.put('/one/a b/f?%#ä', 'hello', { 'content-type': 'text/x', 'x-amz-meta-run': '7' });
  service.put('/one/large', 'hello, large one');
});
afterEach(() => service.close());

const place = (path: string, attributes: Record<string, string> = { sign_url: 's3' }): CopyPlace => ({
  rse: { id: path, rse: path.split('/')[1]?.toUpperCase() ?? '', attributes },
  pfn: `${service.origin}${path}`,
  prefix: `/${path.split('/')[1]}/`,
  url: service.origin + path.split('/').map(encodeURIComponent).join('/'),
});
const jobOf = (more: Partial<CopyJob> = {}): CopyJob => ({
  id: 'lease1',
  source: place('/one/a b/f?%#ä'),
  destination: place('/two/a b/f?%#ä'),
  bytes: 5,
  replaces: false,
  requireLease: () => {},
  ...more,
});
const largeJob = (more: Partial<CopyJob> = {}) =>
  jobOf({ source: place('/one/large'), destination: place('/two/large'), bytes: 16, ...more });
const contentOf = (path: string) => service.objects.get(path)?.content.toString();
const isCopy = ({ method, headers }: { method: string; headers: Headers }) =>
  method === 'PUT' && headers.has('x-amz-copy-source');
const isWrite = ({ method }: { method: string }) => method === 'PUT' || method === 'POST';
const adler32Of = (content: string) => {
  const sum = new Adler32();
  sum.update(Buffer.from(content));
  return sum.digest();
};
const small = '/two/a b/f?%#ä';

/** A check of the lease that holds for a number of times. */
const holding = (times: number) => {
  let left = times;
  return () => {
    if (left === 0) throw new LeaseOver();
    left -= 1;
  };
};

describe('a copy between buckets', () => {
  it.each([false, true])(
    'writes nothing more once its lease is over, at whichever step (replaces: %s)',
    async (replaces) => {
      for (const job of [jobOf({ replaces }), largeJob({ replaces })]) {
        const to = decodeURI(new URL(job.destination.url ?? '').pathname);
        for (let times = 0; ; times += 1) {
          if (replaces) service.put(job.bytes === 5 ? small : to, 'rotten');
          service.calls.length = 0;
          const requireLease = holding(times);
          const end = await mover
            .copy({ ...job, id: `lease${times}`, requireLease }, never)
            .catch((error: unknown) => error);
          const writes = service.calls.filter((call) => /^(PUT|POST)/.test(call));
          expect(service.uploads.size).toBe(0);
          if (!(end instanceof LeaseOver)) break;
          expect(writes.length).toBeLessThanOrEqual(times);
          expect(contentOf(job.bytes === 5 ? small : to)).toBe(replaces ? 'rotten' : undefined);
        }
        expect(contentOf(job.bytes === 5 ? small : to)).toMatch(/^hello/);
      }
    },
  );

  it('deletes no copy that turns out to be wrong once its lease is over: it may be that of the next attempt', async () => {
    service.setFaults(failFirst(isCopy, 'corrupt'));
    await expect(mover.copy(jobOf({ requireLease: holding(1) }), never)).rejects.toThrow(LeaseOver);
    expect(service.calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
  });

  it('is made by the service, with the description of its source, and tells size and MD5', async () => {
    expect(await mover.copy(jobOf({ md5: md5Of('hello') }), never)).toEqual({ bytes: 5, md5: md5Of('hello') });
    expect(contentOf(small)).toBe('hello');
    expect(service.objects.get(small)?.description).toMatchObject({ 'content-type': 'text/x', 'x-amz-meta-run': '7' });
    expect(service.calls.filter((call) => !call.startsWith('HEAD'))).toEqual([`PUT ${small}`]);
  });

  it('of a large object is made in parts, and leaves none behind', async () => {
    expect(await mover.copy(largeJob(), never)).toMatchObject({ bytes: 16, md5: md5Of('hello, large one') });
    expect(contentOf('/two/large')).toBe('hello, large one');
    expect(service.objects.get('/two/large')?.etag).toMatch(/-6"$/);
    expect(service.uploads.size).toBe(0);
  });

  it.each([
    ['size', { bytes: 6 }],
    ['MD5', { md5: '0'.repeat(32) }],
  ])('is not begun if the source has another %s than the catalogue', async (_what, more) => {
    await expect(mover.copy(jobOf(more), never)).rejects.toThrow(/The copy has/);
    expect(service.objects.has(small)).toBe(false);
  });

  it('that is there already counts, whether it was made in parts or not', async () => {
    for (const job of [jobOf(), largeJob()]) {
      const result = await mover.copy(job, never);
      service.calls.length = 0;
      expect(await mover.copy({ ...job, id: 'lease2' }, never)).toEqual(result);
      expect(service.calls.every((call) => /^(HEAD|GET)/.test(call))).toBe(true);
    }
  });

  it('replaces no other object, not even one of its size, unless a bad one is to be replaced', async () => {
    for (const [path, job, other] of [
      [small, jobOf(), 'HELLO'],
      ['/two/large', largeJob(), 'HELLO, LARGE ONE'],
    ] as const) {
      service.put(path, other);
      await expect(mover.copy(job, never)).rejects.toThrow('exists and is another object');
      expect(contentOf(path)).toBe(other);
      await mover.copy({ ...job, replaces: true }, never);
      expect(contentOf(path)?.toUpperCase()).toBe(other);
      expect(contentOf(path)).not.toBe(other);
    }
  });

  it('replaces nothing that appears while it is made', async () => {
    for (const [path, job] of [
      [small, jobOf()],
      ['/two/large', largeJob()],
    ] as const) {
      service.setFaults(({ method, query }) => {
        if (method === 'PUT' || query.has('uploads')) service.put(path, 'other');
        return undefined;
      });
      await expect(mover.copy(job, never)).rejects.toThrow('exists and is another object');
      expect(contentOf(path)).toBe('other');
      expect(service.uploads.size).toBe(0);
    }
  });

  it('is made once if a mover is frozen while another takes its place, and thaws', async () => {
    for (const replaces of [false, true]) {
      service.objects.delete(small);
      if (replaces) service.put(small, 'bad');
      service.setFaults(holdFirst(isCopy, () => mover.copy(jobOf({ id: 'next', replaces }), never)));
      expect(await mover.copy(jobOf({ id: 'frozen', replaces }), never)).toMatchObject({ bytes: 5 });
      expect(contentOf(small)).toBe('hello');
      expect(service.objects.get(small)?.written).toBe(replaces ? 2 : 1);
    }
  });

  it.each([['cut'], ['lose answer'], ['hang'], [{ status: 503, code: 'SlowDown' }], [{ status: 500 }]] as const)(
    'is repeated after a failure that passes: %o',
    async (fault) => {
      if (fault === 'hang') mover = makeMover({ answerMs: 100, attempts: 20 });
      for (const job of [jobOf(), largeJob()]) {
        service.setFaults(failFirst(() => true, fault, fault, fault));
        expect((await mover.copy(job, never)).bytes).toBe(job.bytes);
      }
      service.objects.delete(small);
      service.objects.delete('/two/large');
      for (const job of [jobOf(), largeJob()]) {
        service.setFaults(failFirst(({ method }) => method !== 'HEAD', fault, fault));
        expect((await mover.copy(job, never)).bytes).toBe(job.bytes);
      }
      expect([contentOf(small), contentOf('/two/large')]).toEqual(['hello', 'hello, large one']);
      expect([...service.objects.keys()].filter((path) => path.startsWith('/two/'))).toHaveLength(2);
    },
  );

  it('fails if the service is throttled for long, and deletes its parts', async () => {
    service.setFaults((call) => (isCopy(call) ? { status: 503, code: 'SlowDown' } : undefined));
    for (const job of [jobOf(), largeJob()]) await expect(mover.copy(job, never)).rejects.toThrow('SlowDown');
    expect(service.uploads.size).toBe(0);
  });

  it('fails for good if it is denied, and says whose keys must be able to read', async () => {
    service.setFaults((call) => (isCopy(call) ? { status: 403, code: 'AccessDenied' } : undefined));
    await expect(mover.copy(jobOf(), never)).rejects.toThrow(
      /AccessDenied.* The keys of TWO must be able to read ONE\./,
    );
    expect(service.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
  });

  it('that has another content is deleted again', async () => {
    service.setFaults(failFirst(isCopy, 'corrupt'));
    await expect(mover.copy(jobOf(), never)).rejects.toThrow('The copy has the md5');
    expect(service.objects.has(small)).toBe(false);
  });

  it('that somebody else has replaced meanwhile stays, and does not count', async () => {
    let isWritten = false;
    service.setFaults((call) => {
      if (call.method === 'HEAD' && isWritten) service.put(small, 'of somebody else');
      isWritten ||= isCopy(call);
      return undefined;
    });
    await expect(mover.copy(jobOf(), never)).rejects.toThrow('The copy has');
    expect(service.objects.get(small)?.content.toString()).toBe('of somebody else');
  });

  it('in parts, of which the service tells no checksum, counts only once its content was read', async () => {
    service.setFaults((call) => (call.query.get('partNumber') === '2' ? 'corrupt' : undefined));
    for (const more of [{}, { md5: md5Of('hello, large one') }, { adler32: adler32Of('hello, large one') }]) {
      await expect(mover.copy(largeJob(more), never)).rejects.toThrow(/The copy has the/);
      expect(service.objects.has('/two/large')).toBe(false);
    }
    const accepting = { sign_url: 's3', verify_checksum: 'False' };
    await mover.copy(largeJob({ destination: place('/two/large', accepting) }), never);
    expect(service.calls.filter((call) => call === 'GET /two/large')).toHaveLength(3);
    service.setFaults(undefined);
    // A file that was there before never counts by its size.
    await expect(mover.copy(largeJob({ destination: place('/two/large', accepting) }), never)).rejects.toThrow(
      'exists and is another object',
    );
  });

  it('is no copy, if source and destination are one object', async () => {
    const destination = { ...place('/one/a b/f?%#ä'), rse: { id: '2', rse: 'TWO', attributes: { sign_url: 's3' } } };
    expect(await mover.findObstacle({ source: jobOf().source, destination })).toMatch(
      /is the same object as its source/,
    );
    await expect(mover.copy(jobOf({ destination }), never)).rejects.toThrow('the same object as its source');
  });

  it('of a recovery never is the bad object itself, whatever the service tells of that', async () => {
    for (const [path, job] of [
      [small, jobOf({ replaces: true })],
      ['/two/large', largeJob({ replaces: true })],
    ] as const) {
      // A first copy, whose content rots while its ETag and its metadata stay.
      await mover.copy({ ...job, replaces: false }, never);
      const first = service.objects.get(path);
      if (first === undefined) throw new Error('there is no copy');
      const rot = () => service.objects.set(path, { ...first, content: Buffer.alloc(first.content.length, '?') });
      rot();
      service.setFaults(failFirst(isWrite, 'page'));
      await expect(mover.copy({ ...job, id: 'lease2' }, never)).rejects.toThrow(/not replaced|began no copy|names no/);
      await mover.copy({ ...job, id: 'lease3' }, never);
      expect(contentOf(path)).toMatch(/^hello/);
      rot();
      service.setFaults(failFirst(isWrite, 'lose answer'));
      await mover.copy({ ...job, id: 'lease4' }, never);
      expect(contentOf(path)).toMatch(/^hello/);
    }
  });

  it('of a recovery is compared with the checksum of the catalogue, even if that is of another kind', async () => {
    service.put('/one/a b/f?%#ä', 'hallo');
    service.put(small, 'HELLO');
    const job = jobOf({ replaces: true, adler32: adler32Of('hello') });
    await expect(mover.copy(job, never)).rejects.toThrow('The copy has the adler32');
  });

  it('reads no more than the beginning of an error', async () => {
    service.setFaults(failFirst(isCopy, 'endless'));
    await expect(mover.copy(jobOf(), never)).rejects.toThrow('403');
  });

  it('ends when its lease is lost, and deletes its parts', async () => {
    const stopping = new AbortController();
    service.setFaults((call) => {
      if (call.query.get('partNumber') === '3') stopping.abort(new Error('lost'));
      return undefined;
    });
    await expect(mover.copy(largeJob(), stopping.signal)).rejects.toThrow('lost');
    expect(service.objects.has('/two/large')).toBe(false);
    expect(service.uploads.size).toBe(0);
  });

  it('works with a service that knows no conditions for copies', async () => {
    service.setFaults(({ headers }) =>
      headers.has('if-none-match') ? { status: 501, code: 'NotImplemented' } : undefined,
    );
    for (const job of [jobOf(), largeJob()]) await mover.copy(job, never);
    expect([contentOf(small), contentOf('/two/large')]).toEqual(['hello', 'hello, large one']);
  });
});

describe('the obstacles to a copy between buckets', () => {
  const at = (url: string, style = 'path'): CopyPlace => ({
    rse: { id: url, rse: 'S3', attributes: { sign_url: 's3', s3_url_style: style } },
    pfn: url,
    prefix: '/',
    url,
  });
  const obstacleOf = (source: CopyPlace, destination: CopyPlace) => mover.findObstacle({ source, destination });

  it('are another service, storage that is not S3, and an address without object', async () => {
    const minio = at('https://s3.example.org/bucket/f');
    expect(await obstacleOf(minio, at('https://s3.example.org/other/g'))).toBeUndefined();
    expect(await obstacleOf(minio, at('https://s3.example.org:9000/other/g'))).toMatch(/are different S3 services/);
    expect(await obstacleOf(minio, at('https://bucket.s3.example.org/g', 'host'))).toBeUndefined();
    const sameByHost = at('https://bucket.s3.example.org/f', 'host');
    expect(await obstacleOf(minio, sameByHost)).toMatch(/is the same object as its source/);
    expect(await obstacleOf(minio, { ...minio, rse: { ...minio.rse, attributes: {} } })).toMatch(
      /no attribute sign_url=s3/,
    );
    expect(await obstacleOf(minio, at('https://s3.example.org/bucket/'))).toMatch(/names no object/);
  });

  it('are none between regions of AWS, whatever the style of the addresses', async () => {
    const [ireland, ohio] = [
      'https://s3.eu-west-1.amazonaws.com/b/f',
      'https://my.bucket.s3.us-east-2.amazonaws.com/f',
    ];
    expect(await obstacleOf(at(ireland), at(ohio, 'host'))).toBeUndefined();
    expect(await obstacleOf(at(ireland), at('https://s3.cn-north-1.amazonaws.com.cn/b/f'))).toMatch(
      /different S3 services/,
    );
  });

  it('are missing keys of the destination, but not that they cannot be read at present', async () => {
    const ends = { source: at('https://s3.example.org/b/f'), destination: at('https://s3.example.org/b/g') };
    const obstacleWith = (problem: Error) => {
      const findKeys = async () => {
        throw problem;
      };
      return new S3Mover({ findKeys }).findObstacle(ends);
    };
    const missing = Object.assign(new Error('There are no credentials'), { name: 'ConfigurationError' });
    expect(await obstacleWith(missing)).toBe('There are no credentials');
    await expect(obstacleWith(new Error('no answer'))).rejects.toThrow('no answer');
  });
});
