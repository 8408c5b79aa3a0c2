import { createHash } from 'node:crypto';

import { afterEach, describe, expect, it } from 'vitest';

import { partName } from '../../lib/movers/leftovers.ts';
import { LeaseOver } from '../../lib/movers/mover.ts';
import { holdFirst, type StorageCall } from '../support/faults-of-storage.ts';
import {
  adler32Of,
  closeServices,
  copied,
  isCopy,
  jobOf,
  makeMover,
  name,
  never,
  type Pair,
  place,
  startPair,
  stored,
} from './webdav-pair.ts';

const mover = makeMover();
afterEach(closeServices);

/** The temporary name of an attempt to copy the file. */
const partNameOf = ({ two }: Pair, attempt: string) => partName(place('TWO', two).url ?? '', attempt);

/** A check of the lease that holds for a number of times. */
const holding = (times: number) => {
  let left = times;
  return () => {
    if (left === 0) throw new LeaseOver();
    left -= 1;
  };
};

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
    const part = `/store/a b/${partNameOf(pair, 'lease1-1')}`;
    expect(pair.two.calls).toEqual([
      // What attempts have left that were killed.
      'PROPFIND /store/a b/',
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

  it('is no copy, if source and destination are one file', async () => {
    const pair = await startPair();
    const destination = { ...place('ONE', pair.one), rse: { id: 'TWO', rse: 'TWO', attributes: {} } };
    expect(mover.findObstacle({ source: jobOf(pair).source, destination })).toMatch(/is the same file as its source/);
    await expect(mover.copy(jobOf(pair, { destination }), never)).rejects.toThrow('the same file as its source');
  });

  it('that is there already counts, without another copy', async () => {
    const pair = await startPair();
    await mover.copy(jobOf(pair), never);
    pair.two.calls.length = 0;
    expect(await mover.copy(jobOf(pair, { id: 'lease2' }), never)).toMatchObject({ bytes: 5 });
    // An empty file beside it is not beside the source, so they are two.
    const probe = `/store/a b/${partNameOf(pair, 'lease2-0')}`;
    expect(pair.two.calls).toEqual([`HEAD /store/${name}`, `PUT ${probe}`, `HEAD ${probe}`, `DELETE ${probe}`]);
    expect(stored(pair)).toEqual({ [`/store/${name}`]: 'hello' });
  });

  it('deletes what an attempt has left that was killed, and nothing else', async () => {
    const pair = await startPair();
    const left = (of: string, attempt: string) => `/store/a b/${partName(of, attempt)}`;
    const other = place('TWO', pair.two).url?.replace('f', 'g') ?? '';
    pair.two.folders.add('/store/a b');
    for (const attempt of ['lease0-1', 'lease0-2'])
      pair.two.files.set(left(place('TWO', pair.two).url ?? '', attempt), Buffer.from('hel'));
    pair.two.files.set(left(other, 'lease0-1'), Buffer.from('of another file'));
    // A folder would be deleted with all that is in it.
    const folder = left(place('TWO', pair.two).url ?? '', 'lease0-3');
    pair.two.folders.add(folder);
    await makeMover().copy(jobOf(pair), never);
    expect(stored(pair)).toEqual({ ...copied, [left(other, 'lease0-1')]: 'of another file' });
    expect(pair.two.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(2);
  });

  it('tries to delete it once, and is made in any case', async () => {
    const pair = await startPair();
    pair.two.folders.add('/store/a b');
    const left = Array.from({ length: 30 }, (_none, index) => `/store/a b/${partNameOf(pair, `lease0-${index}`)}`);
    for (const path of left) pair.two.files.set(path, Buffer.from('hel'));
    pair.two.setFaults(({ method }) => (method === 'DELETE' ? { status: 503 } : undefined));
    await makeMover().copy(jobOf(pair), never);
    expect(pair.two.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
    expect(stored(pair)).toMatchObject(copied);
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

  it('is none of object stores', async () => {
    const { source, destination } = jobOf(await startPair());
    const s3 = { ...source, rse: { ...source.rse, attributes: { sign_url: 's3' } } };
    expect(mover.findObstacle({ source, destination })).toBeUndefined();
    expect(mover.findObstacle({ source: s3, destination })).toBe(
      'ONE has the attribute sign_url: it is no WebDAV storage.',
    );
  });
});
