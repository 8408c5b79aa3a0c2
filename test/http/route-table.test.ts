import { describe, expect, it } from 'vitest';

import { RouteTable } from '../../lib/http/route-table.ts';

/** The path of the route that is found for a GET, with the parameters. */
function makeFinder(paths: readonly string[]) {
  const table = new RouteTable(paths.map((path) => [{ method: 'GET', path }, path] as const));
  return (path: string) => {
    const found = table.find('GET', path);
    return found === undefined ? undefined : [found.value, found.params];
  };
}

describe('a table of routes', () => {
  it('finds a literal before a parameter, and a parameter before a greedy one, in any order of the routes', () => {
    const paths = ['/dids/**:did', '/dids/:scope', '/dids/new', '/dids/:scope/dids'];
    for (const order of [paths, paths.toReversed()]) {
      const find = makeFinder(order);
      expect(find('/dids/new')).toEqual(['/dids/new', {}]);
      expect(find('/dids/data')).toEqual(['/dids/:scope', { scope: 'data' }]);
      expect(find('/dids/data/dids')).toEqual(['/dids/:scope/dids', { scope: 'data' }]);
      expect(find('/dids/data/a/b')).toEqual(['/dids/**:did', { did: 'data/a/b' }]);
    }
  });

  it('compares what follows a greedy parameter from the end: a literal first, then the longer path', () => {
    const paths = ['/dids/**:did', '/dids/**:did/meta/:key', '/dids/**:did/meta', '/dids/**:did/follow'];
    for (const order of [paths, paths.toReversed()]) {
      const find = makeFinder(order);
      expect(find('/dids/s/n/meta')).toEqual(['/dids/**:did/meta', { did: 's/n' }]);
      expect(find('/dids/s/n/meta/color')).toEqual(['/dids/**:did/meta/:key', { did: 's/n', key: 'color' }]);
      expect(find('/dids/s/n/meta/follow')).toEqual(['/dids/**:did/follow', { did: 's/n/meta' }]);
      expect(find('/dids/s/meta/n')).toEqual(['/dids/**:did/meta/:key', { did: 's', key: 'n' }]);
    }
  });

  it('gives parameters as they are in the path, and tells upper from lower case', () => {
    const find = makeFinder(['/rses/:rse/attr/:key']);
    expect(find('/rses/A%2FB/attr/%C3%A9')).toEqual(['/rses/:rse/attr/:key', { rse: 'A%2FB', key: '%C3%A9' }]);
    expect(find('/RSES/A/attr/key')).toBeUndefined();
  });

  it('takes a slash at the end as optional, and as a part of a greedy parameter there, unless the route has one', () => {
    const find = makeFinder(['/scopes/', '/dids/**:did', '/dids/**:did/meta', '/replicas/**:did/']);
    for (const end of ['', '/', '///']) {
      expect(find(`/scopes${end}`)).toEqual(['/scopes/', {}]);
      expect(find(`/dids/s/n/meta${end}`)).toEqual(['/dids/**:did/meta', { did: 's/n' }]);
      expect(find(`/dids/s/n${end}`)).toEqual(['/dids/**:did', { did: `s/n${end}` }]);
      expect(find(`/replicas/s/n${end}`)).toEqual(['/replicas/**:did/', { did: 's/n' }]);
    }
    expect([find('/dids/'), find('/dids//')]).toEqual([undefined, undefined]);
  });

  it('takes several slashes for one, but inside of a greedy parameter', () => {
    const find = makeFinder(['/rses/:rse/attr/:key', '/dids/**:did', '/dids/**:did/meta/:key']);
    expect(find('//rses///A//attr/k')).toEqual(['/rses/:rse/attr/:key', { rse: 'A', key: 'k' }]);
    expect(find('/dids///s//a///b//meta//k')).toEqual(['/dids/**:did/meta/:key', { did: 's//a///b', key: 'k' }]);
    expect(find('/dids/s//a//b')).toEqual(['/dids/**:did', { did: 's//a//b' }]);
  });

  it('needs no longer than the path is long, whatever is repeated in it', () => {
    const find = makeFinder([
      '/dids/**:did/meta/:key',
      '/dids/**:did/:rse',
      '/rses/:rse/attr/:key',
      '/dids/**:did/meta/',
    ]);
    for (const part of ['/', '//', '/meta', '/meta/', 'a/', '/a//', '/meta//x']) {
      const path = `/dids/s${part.repeat(16_384 / part.length)}`;
      const start = performance.now();
      for (const one of [path, `/${path}`, `${path}/\n`, part.repeat(16_384 / part.length)]) find(one);
      expect(performance.now() - start, part).toBeLessThan(200);
    }
  });

  it('finds nothing for another method, for an empty parameter, and for a part of a path', () => {
    const find = makeFinder(['/rses/:rse/usage']);
    const table = new RouteTable([[{ method: 'POST', path: '/rses' }, 'addRse']]);
    expect([table.find('GET', '/rses'), table.find('POST', '/rses')?.value]).toEqual([undefined, 'addRse']);
    expect([find('/rses//usage'), find('/rses/A'), find('/rses/A/usage/more')]).toEqual(Array(3).fill(undefined));
  });
});
