import { randomBytes } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { partName } from '../../lib/movers/leftovers.ts';
import { LeaseOver } from '../../lib/movers/mover.ts';
import type { StorageCall } from '../support/faults-of-storage.ts';
import { jobOf, kinds, pairs, partBytes, startEnds, sumsOf } from './stream-ends.ts';

const never = new AbortController().signal;
const name = "scope/a b/f'!*?%#ä";
const large = randomBytes(4 * partBytes + 1);
const contents = [
  ['an empty file', Buffer.alloc(0)],
  ['a small file', Buffer.from('hello')],
  ['a file in parts', large],
] as const;

let ends: Awaited<ReturnType<typeof startEnds>>;
beforeAll(async () => {
  ends = await startEnds();
});
afterEach(() => ends.clear());
afterAll(() => ends.close());

/** A file at a source, and the storages of its copy. */
async function prepare(from: (typeof kinds)[number], to: (typeof kinds)[number], content: Buffer) {
  const [source, destination] = [ends.source(from), ends.destination(to)];
  await source.put(name, content);
  return { source, destination, job: jobOf(source.place(name), destination.place(name), content) };
}

describe.each(pairs)('a copy from %s to %s', (from, to) => {
  it.each(contents)('copies %s, once', async (_what, content) => {
    const { destination, job } = await prepare(from, to, content);
    const mover = ends.newMover();
    expect(await mover.copy(job, never)).toMatchObject({ bytes: content.length, adler32: sumsOf(content).adler32 });
    expect(await destination.contents()).toEqual(new Map([[name, content]]));
    const written = ends.s3.objects.get(`/bucket/to/${name}`)?.written;
    await mover.copy({ ...job, id: 'lease2' }, never);
    expect(await destination.contents()).toEqual(new Map([[name, content]]));
    expect(ends.s3.objects.get(`/bucket/to/${name}`)?.written).toBe(written);
  });

  it('deletes what an attempt has left that was killed, also if it had given the copy its name', async () => {
    const { destination, job } = await prepare(from, to, large);
    const file = destination.place(name);
    const [path, folder] = [file.url ?? ends.pathOf(file), name.slice(0, name.lastIndexOf('/') + 1)];
    const leave = async () => {
      if (to === 's3') await ends.beginUpload(file);
      else await destination.put(folder + partName(path, 'killed-1'), large.subarray(0, 10));
    };
    await leave();
    await ends.newMover().copy(job, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
    await leave();
    await ends.newMover().copy({ ...job, id: 'lease2' }, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
    expect(ends.s3.uploads.size).toBe(0);
  });

  it('copies a file whose checksum nobody knows', async () => {
    const { destination, job } = await prepare(from, to, large);
    await ends.newMover().copy({ ...job, adler32: undefined }, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
  });

  it('writes nothing if the source has another content than the catalogue knows', async () => {
    const { source, destination, job } = await prepare(from, to, large);
    await source.put(name, randomBytes(large.length));
    await expect(ends.newMover().copy(job, never)).rejects.toThrow('adler32');
    await source.put(name, large.subarray(1));
    await expect(ends.newMover().copy(job, never)).rejects.toThrow(`${large.length - 1} bytes`);
    expect(await destination.contents()).toEqual(new Map());
    expect(ends.s3.uploads.size).toBe(0);
  });

  it('replaces another file only if that is declared bad', async () => {
    const { destination, job } = await prepare(from, to, large);
    await destination.put(name, Buffer.from('other'));
    await expect(ends.newMover().copy(job, never)).rejects.toThrow('exists and is another');
    expect(await destination.contents()).toEqual(new Map([[name, Buffer.from('other')]]));
    await ends.newMover().copy({ ...job, replaces: true }, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
  });

  it('puts nothing under the name once its lease is over', async () => {
    const { destination, job } = await prepare(from, to, large);
    const requireLease = () => {
      throw new LeaseOver();
    };
    await expect(ends.newMover().copy({ ...job, requireLease }, never)).rejects.toThrow(LeaseOver);
    expect(await destination.contents()).toEqual(new Map());
  });

  it('is done by the next attempt if it is stopped in the middle, and leaves nothing else', async () => {
    const { source, destination, job } = await prepare(from, to, large);
    const stopping = new AbortController();
    const stopAtWrite = ({ method }: StorageCall) => {
      if (method === 'PUT' || method === 'MOVE') stopping.abort(new Error('stopped'));
      return undefined;
    };
    for (const one of [source, destination]) one.setFaults(stopAtWrite);
    const requireLease = () => {
      if (to === 'posix') stopping.abort(new Error('stopped'));
      stopping.signal.throwIfAborted();
    };
    await expect(ends.newMover().copy({ ...job, requireLease }, stopping.signal)).rejects.toThrow('stopped');
    for (const one of [source, destination]) one.setFaults(undefined);
    expect((await destination.contents()).has(name)).toBe(false);
    await ends.newMover().copy({ ...job, id: 'lease2' }, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
    expect(ends.s3.uploads.size).toBe(0);
  });
});

describe.each(kinds.filter((kind) => kind !== 'posix'))('a source of %s', (from) => {
  it.each(kinds)('that breaks off is read on from there, for a copy to %s', async (to) => {
    const { source, destination, job } = await prepare(from, to, large);
    const ranges: (string | null)[] = [];
    source.setFaults(({ method, path, headers }) => {
      if (method !== 'GET' || !path.includes('/from/')) return undefined;
      ranges.push(headers.get('range'));
      return ranges.length < 3 ? 'cut in the middle' : undefined;
    });
    await ends.newMover().copy(job, never);
    expect(await destination.contents()).toEqual(new Map([[name, large]]));
    expect(ranges).toHaveLength(3);
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
  });

  it.each(kinds)('that hangs, or sends another content, fails a copy to %s', async (to) => {
    const { source, destination, job } = await prepare(from, to, large);
    const failWith = (fault: 'hang' | 'corrupt') =>
      source.setFaults(({ method, path }) => (method === 'GET' && path.includes('/from/') ? fault : undefined));
    failWith('corrupt');
    await expect(ends.newMover().copy(job, never)).rejects.toThrow('adler32');
    failWith('hang');
    await expect(ends.newHastyMover().copy(job, never)).rejects.toThrow('no answer');
    source.setFaults(undefined);
    expect(await destination.contents()).toEqual(new Map());
  });
});

describe('a bucket as the destination', () => {
  it('keeps what somebody else has put under the name meanwhile, and does not count it', async () => {
    const { destination, job } = await prepare('posix', 's3', Buffer.from('hello'));
    let path = '';
    destination.setFaults((call) => {
      if (call.method === 'HEAD' && path !== '') ends.s3.put(path, 'of somebody else');
      if (call.method === 'PUT') ({ path } = call);
      return undefined;
    });
    await expect(ends.newMover().copy(job, never)).rejects.toThrow();
    expect(await destination.contents()).toEqual(new Map([[name, Buffer.from('of somebody else')]]));
  });
});

describe.each(kinds.filter((kind) => kind !== 'posix'))('a destination of %s', (to) => {
  it.each(['hang', 'cut', 'lose answer', { status: 503 }] as const)(
    'has the copy in the end if a request has the fault %j once, and nothing else',
    async (fault) => {
      const { destination, job } = await prepare('posix', to, large);
      const seen = new Set<string>();
      destination.setFaults(({ method, query }) => {
        const call = `${method} ${[...query.keys()].join()}`;
        if (seen.has(call)) return undefined;
        seen.add(call);
        return fault;
      });
      await (fault === 'hang' ? ends.newHastyMover() : ends.newMover()).copy(job, never);
      expect(await destination.contents()).toEqual(new Map([[name, large]]));
      expect(ends.s3.uploads.size).toBe(0);
    },
  );

  it.each([
    ['in parts', large],
    ['by one request', Buffer.from('hello')],
  ])('that stores another content %s is found out', async (_how, content) => {
    const { destination, job } = await prepare('posix', to, content);
    destination.setFaults(({ method }) => (method === 'PUT' ? 'corrupt' : undefined));
    await expect(ends.newMover().copy(job, never)).rejects.toThrow(/adler32|md5/);
    expect(await destination.contents()).toEqual(new Map());
    expect(ends.s3.uploads.size).toBe(0);
  });

  it('that never answers fails the copy in a time that is limited', async () => {
    const { destination, job } = await prepare('posix', to, large);
    destination.setFaults(({ method }) => (method === 'PUT' ? 'hang' : undefined));
    await expect(ends.newHastyMover().copy(job, never)).rejects.toThrow(/no answer/);
    expect((await destination.contents()).has(name)).toBe(false);
  });
});
