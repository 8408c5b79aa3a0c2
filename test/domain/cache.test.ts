import { beforeEach, describe, expect, it } from 'vitest';

import { Cache, cachePerTable } from '../../lib/cache.ts';

let now: number;
let loads: number;
beforeEach(() => {
  now = 0;
  loads = 0;
});

const newCache = (maxEntries?: number) =>
  new Cache<string>({ ttlMs: 1_000, now: () => now, ...(maxEntries === undefined ? {} : { maxEntries }) });

const load = async () => {
  loads += 1;
  return `value ${loads}`;
};

describe('a cache', () => {
  it('loads a value once until its TTL has passed', async () => {
    const cache = newCache();
    expect(await cache.getOrLoad('a', load)).toBe('value 1');
    now = 999;
    expect(await cache.getOrLoad('a', load)).toBe('value 1');
    now = 1_000;
    expect(cache.get('a')).toBeUndefined();
    expect(await cache.getOrLoad('a', load)).toBe('value 2');
  });

  it('counts the TTL from the beginning of a load', async () => {
    const cache = newCache();
    const { promise, resolve } = Promise.withResolvers<string>();
    const loading = cache.reload('a', () => promise);
    now = 900;
    resolve('slow');
    expect(await loading).toBe('slow');
    expect(cache.get('a')).toBe('slow');
    now = 1_000;
    expect(cache.get('a')).toBeUndefined();
  });

  it('takes the TTL from the value where it depends on it', () => {
    const cache = new Cache<number>({ ttlMs: (value) => value, now: () => now });
    cache.set('short', 5);
    cache.set('long', 50);
    now = 5;
    expect([cache.get('short'), cache.get('long')]).toEqual([undefined, 50]);
  });

  it('drops the entry that was written first when it is full', () => {
    const cache = newCache(2);
    cache.set('a', '1');
    cache.set('b', '2');
    cache.set('a', '3');
    cache.set('c', '4');
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['3', undefined, '4']);
  });

  it('shares one load among concurrent callers, but a reload is its own', async () => {
    const cache = newCache();
    const asked = [cache.getOrLoad('a', load), cache.getOrLoad('a', load), cache.reload('a', load)];
    expect(await Promise.all(asked)).toEqual(['value 1', 'value 1', 'value 2']);
    expect(loads).toBe(2);
  });

  it('caches neither a failure nor undefined, and undefined removes what was cached', async () => {
    const cache = newCache();
    const fail = () => Promise.reject(new Error('unreachable'));
    const failures = await Promise.allSettled([cache.getOrLoad('a', fail), cache.getOrLoad('a', fail)]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await cache.getOrLoad('a', load)).toBe('value 1');
    await expect(cache.reload('a', fail)).rejects.toThrow('unreachable');
    expect(cache.get('a')).toBe('value 1');
    expect(await cache.reload('a', async () => undefined)).toBeUndefined();
    expect(cache.get('a')).toBeUndefined();
  });

  it('does not cache what was loaded before an invalidation', async () => {
    const cache = newCache();
    const { promise, resolve } = Promise.withResolvers<string>();
    const before = cache.getOrLoad('a', () => promise);
    cache.invalidate('a');
    const after = cache.getOrLoad('a', load);
    resolve('former');
    expect([await before, await after]).toEqual(['former', 'value 1']);
    expect(cache.get('a')).toBe('value 1');
  });

  it('of one table knows nothing of another', () => {
    const cacheOf = cachePerTable<string>({ ttlMs: 1_000 });
    cacheOf({ name: 'one' }).set('a', '1');
    cacheOf({ name: 'other' }).invalidate('a');
    expect(cacheOf({ name: 'one' }).get('a')).toBe('1');
    expect(cacheOf({ name: 'other' }).get('a')).toBeUndefined();
  });
});
