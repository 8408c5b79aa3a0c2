import { describe, expect, it } from 'vitest';

import { DidMap } from '../../lib/domain/values/did-map.ts';

const [a, b, c] = [
  { scope: 'user', name: 'a' },
  { scope: 'other', name: 'a' },
  { scope: 'user', name: '__proto__' },
];

describe('a map by DID', () => {
  it('keeps the order of insertion across scopes', () => {
    const map = new DidMap<number>();
    for (const [index, did] of [a, b, c].entries()) map.set(did, index);
    expect(map.values()).toEqual([0, 1, 2]);
    expect(map.entries()).toEqual([
      [a, 0],
      [b, 1],
      [c, 2],
    ]);
  });

  it('knows a DID by its scope and name', () => {
    const map = new DidMap<number>();
    map.set(a, 1);
    expect(map.get({ scope: 'user', name: 'a' })).toBe(1);
    expect([map.has({ ...a }), map.has(b), map.has(c)]).toEqual([true, false, false]);
  });

  it('replaces the value of a DID in its place', () => {
    const map = new DidMap<number>();
    map.set(a, 1);
    map.set(b, 2);
    map.set({ ...a }, 3);
    expect(map.values()).toEqual([3, 2]);
  });

  it('makes a value only for a DID that has none', () => {
    const map = new DidMap<string[]>();
    map.ensure(a, () => []).push('one');
    map.ensure(a, () => ['another']).push('two');
    expect(map.get(a)).toEqual(['one', 'two']);
  });
});
