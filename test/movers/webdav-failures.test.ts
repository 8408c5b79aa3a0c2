import { afterEach, describe, expect, it } from 'vitest';

import { failFirst } from '../support/faults-of-storage.ts';
import { closeServices, copied, isCopy, jobOf, makeMover, never, place, startPair, stored } from './webdav-pair.ts';

const mover = makeMover();
afterEach(closeServices);

describe('a third-party copy that fails', () => {
  it('fails if neither server can copy', async () => {
    const pair = await startPair({ copies: 'not' }, { copies: 'not' });
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow('COPY at');
    expect(stored(pair)).toEqual({});
  });

  it('reads no more than the beginning of an answer that never ends', async () => {
    const pair = await startPair();
    pair.two.setFaults(failFirst(isCopy, 'endless'));
    await expect(mover.copy(jobOf(pair), never)).rejects.toThrow(/COPY at .*403 x/);
    const small = await startPair({}, { isWithoutDigests: true });
    small.two.setFaults(({ method }) => (method === 'GET' ? 'endless' : undefined));
    await expect(mover.copy(jobOf(small), never)).rejects.toThrow(/GET at .*403 x/);
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
});
