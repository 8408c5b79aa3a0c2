import { afterEach, describe, expect, it } from 'vitest';

import { failFirst } from '../support/faults-of-storage.ts';
import {
  adler32Of,
  closeServices,
  copied,
  isCopy,
  jobOf,
  makeMover,
  name,
  never,
  place,
  startPair,
  stored,
} from './webdav-pair.ts';

const mover = makeMover();
afterEach(closeServices);

describe('the content of a third-party copy', () => {
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
      // A file that was there before never counts by its size.
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
});
