import { describe, expect, it } from 'vitest';

import { CopyPlaces, type GiveBack } from '../../../lib/background/copy-places.ts';

/** Asks for places; the pairs that got one, with how each gives it back. */
function ask(places: CopyPlaces) {
  const begun: { readonly pair: string; readonly giveBack: GiveBack }[] = [];
  const later: string[] = [];
  const take = async (pair: string) => {
    const giveBack = await places.take(pair);
    if (giveBack === undefined) later.push(pair);
    else begun.push({ pair, giveBack });
  };
  const end = (pair: string, isSilent = false) => {
    const index = begun.findIndex((one) => one.pair === pair);
    begun.splice(index, 1)[0]?.giveBack(isSilent);
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pairs = () => begun.map(({ pair }) => pair).join('');
  return { take: (text: string) => text.split('').forEach((pair) => void take(pair)), end, settle, pairs, later };
}

describe('the places of a mover', () => {
  it('are shared by the pairs of RSEs, each of which has one in any case, twice as many in all at most', async () => {
    const { take, end, settle, pairs } = ask(new CopyPlaces(3));
    take('aaaaa');
    await settle();
    expect(pairs()).toBe('aaa');
    take('bbb');
    await settle();
    expect(pairs()).toBe('aaab');
    end('a');
    end('a');
    await settle();
    expect(pairs()).toBe('aba');
    take('cdef');
    await settle();
    expect(pairs()).toBe('abacde');
  });

  it('are one for a pair with a silent storage until it answers; its other copies do not wait', async () => {
    const { take, end, settle, pairs, later } = ask(new CopyPlaces(3));
    take('aaaaa');
    await settle();
    end('a', true);
    await settle();
    expect([pairs(), later.join('')]).toEqual(['aa', 'aa']);
    end('a', true);
    end('a', true);
    take('aab');
    await settle();
    expect([pairs(), later.join('')]).toEqual(['ab', 'aaa']);
    end('a');
    take('aaa');
    await settle();
    expect([pairs(), later.join('')]).toEqual(['baa', 'aaa']);
  });
});
