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

  it('takes a slash at the end as optional, and as a part of a greedy parameter there', () => {
    const find = makeFinder(['/scopes/', '/dids/**:did', '/dids/**:did/meta']);
    expect(find('/scopes')).toEqual(['/scopes/', {}]);
    expect(find('/scopes/')).toEqual(['/scopes/', {}]);
    expect(find('/dids/s/n/meta/')).toEqual(['/dids/**:did/meta', { did: 's/n' }]);
    expect(find('/dids/s/n/')).toEqual(['/dids/**:did', { did: 's/n/' }]);
    expect(find('/dids/')).toBeUndefined();
  });

  it('finds nothing for another method, for an empty parameter, and for a part of a path', () => {
    const find = makeFinder(['/rses/:rse/usage']);
    const table = new RouteTable([[{ method: 'POST', path: '/rses' }, 'addRse']]);
    expect([table.find('GET', '/rses'), table.find('POST', '/rses')?.value]).toEqual([undefined, 'addRse']);
    expect([find('/rses//usage'), find('/rses/A'), find('/rses/A/usage/more')]).toEqual(Array(3).fill(undefined));
  });
});
